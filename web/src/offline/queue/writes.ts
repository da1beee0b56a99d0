import type {
  Change,
  DiaryDay,
  DiaryEntry,
  Favourite,
  Food,
  Measurement,
  Recipe,
  SavedMeal,
  UserSettings,
} from 'larder-client';

/** What the local copy holds, by the kinds of the feed of changes. */
export type Kind = Change['kind'];

/** Objects with a list of writes, by their kinds. A day is named by its date, and settings are the only ones. */
export interface Things {
  readonly entry: DiaryEntry;
  readonly recipe: Recipe;
  readonly food: Food;
  readonly measurement: Measurement;
  readonly day: DiaryDay;
  readonly favourite: Favourite;
  readonly meal: SavedMeal;
  readonly settings: UserSettings;
}

/** What has a list of its own beside the diary. */
export type OwnKind = Exclude<keyof Things, 'entry'>;

/** An object as the service returns it. Goals have no version. */
export type Value = { readonly version?: number };

export interface Refusal {
  readonly code: string;
  readonly message: string;
}

/** A change that a person made and the service has not confirmed. */
export interface Write {
  /** Position in the queue; the database gives it. */
  readonly seq: number;
  readonly kind: Kind;
  readonly id: string;
  readonly op: 'add' | 'change' | 'remove';
  /** The fields to send. */
  readonly body?: object | undefined;
  /** Sent instead of `body` if the food of `body` was deleted. */
  readonly bodyWithoutFood?: object | undefined;
  /** The object that the person saw; its version is sent as `If-Match`. */
  readonly base?: Value | undefined;
  /** What is shown until the service answers. */
  readonly preview?: Value | undefined;
  /** How often it was sent. */
  readonly attempts: number;
  /** `refused` and `conflict` wait for the person, and so do later writes of the same object, or that are made of it. */
  readonly state: 'waiting' | 'refused' | 'conflict';
  /** Why the service refused it. */
  readonly reason?: Refusal | undefined;
  /** With `conflict`: the object of the service; null if it was deleted there. */
  readonly theirs?: Value | null | undefined;
}

export type NewWrite = Omit<Write, 'seq' | 'attempts' | 'state' | 'reason' | 'theirs'>;

/** An object on the screen, with the state of its writes. */
export type Shown<T> = T & { readonly waiting?: Write['state'] };
export type ShownEntry = Shown<DiaryEntry>;

/** An object as the service knows it; the service has not seen one that waits to be added. */
export function baseOf<T extends Value>({ waiting, ...shown }: Shown<T>): T | undefined {
  return shown.version === 0 ? undefined : (shown as unknown as T);
}

/** Whether both writes are about the same object. */
export function isSame(a: { kind: Kind; id: string }, b: { kind: Kind; id: string }): boolean {
  return a.kind === b.kind && a.id === b.id;
}

/** Whether a write cannot be sent before an older one: it is of the same object, or of what is made of a new food or recipe. */
function isAfter(write: Write, older: Write): boolean {
  return isSame(write, older) || (older.op === 'add' && refersTo(write.body, older.id));
}

function refersTo(body: object | undefined, id: string): boolean {
  return referencesOf(body).includes(id);
}

/** Ids of the foods and the recipe that an object is made of. */
function referencesOf(body: object | undefined): readonly string[] {
  const { ingredients = [], items = [], ...own } = (body ?? {}) as References;
  const all = [own, ...ingredients, ...items];
  return all
    .flatMap(({ foodId, recipeId, mealId }) => [foodId, recipeId, mealId])
    .filter((id) => id !== undefined);
}

/** Ids of foods in a write for which the service may know longer ones. */
export function chosenFoodIds({ kind, id, body }: NewWrite): readonly string[] {
  const all = [...(kind === 'food' ? [id] : []), ...referencesOf(body)];
  return all.filter((each) => each.startsWith('manual:') && !each.includes('.'));
}

interface Reference {
  readonly foodId?: string;
  readonly recipeId?: string;
  readonly mealId?: string;
}

interface References extends Reference {
  readonly ingredients?: readonly Reference[];
  readonly items?: readonly Reference[];
}

/** The next write to send: the oldest that waits for no older one. `skipped` are writes that failed in this pass. */
export function nextToSend(writes: readonly Write[], skipped: ReadonlySet<number>): Write | undefined {
  const blocked: Write[] = [];
  for (const write of writes) {
    const mayBeSent = !blocked.some((each) => isAfter(write, each));
    if (mayBeSent && write.state === 'waiting' && !skipped.has(write.seq)) return write;
    blocked.push(write);
  }
  return undefined;
}

/** A write whose object, or what it is made of, got another id from the service. Ids are too long to occur by chance. */
export function renamed<W extends NewWrite>(write: W, from: string, to: string): W {
  return JSON.parse(JSON.stringify(write).replaceAll(JSON.stringify(from), JSON.stringify(to)));
}

/** An object with its unconfirmed writes, oldest first; undefined if it does not exist. */
export function withWrites<T extends Value>(
  base: T | undefined,
  writes: readonly Write[],
): Shown<T> | undefined {
  let value: T | undefined = base;
  let waiting: Write['state'] | undefined;
  for (const { op, state, preview } of writes) {
    waiting = waiting === undefined || waiting === 'waiting' ? state : waiting;
    // A refused change is not shown as if it had happened; a refused new object has no other place to be seen.
    if (op === 'add') value ??= preview as T;
    else if (state === 'waiting') value = op === 'remove' ? undefined : ((preview as T) ?? value);
  }
  return value === undefined || waiting === undefined ? value : { ...value, waiting };
}

/** Objects of a kind with their writes, in the order of their ids: of those that this device made, that of making. */
export function withAllWrites<T extends Value>(
  kind: Kind,
  known: readonly T[],
  writes: readonly Write[],
): Shown<T>[] {
  const byId = new Map<string, T | undefined>(known.map((value) => [idOf(kind, value), value]));
  const own = Map.groupBy(
    writes.filter((write) => write.kind === kind),
    ({ id }) => id,
  );
  for (const [id, [first]] of own) if (!byId.has(id)) byId.set(id, first?.base as T | undefined);
  return [...byId]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, base]) => withWrites(base, own.get(id) ?? []))
    .filter((value) => value !== undefined);
}

/** The id by which the feed names an object. */
function idOf(kind: Kind, value: Value): string {
  const { id, date } = value as { readonly id?: string; readonly date?: string };
  return id ?? (kind === 'day' ? date! : kind);
}
