import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, ConstraintError } from '@larder/core/errors.ts';
import {
  createIds,
  findUnderId,
  type IdSource,
  type NamedRequest,
  type RandomBytes,
  recordIdsOf,
} from '../base/time-ordered-id.ts';
import type { FoodDirectory } from '../foods/visible-foods.ts';
import type { ScanViewer } from '../scan/scan-job.ts';
import { shareOf, toChangedEntry } from './change-entry.ts';
import { confirmedPhoto } from './confirmed-photo.ts';
import {
  entryNotFound,
  MAX_COPIED_ENTRIES,
  tooManyCopies,
  tooManyEntries,
  versionConflict,
  wasDeleted,
} from './diary-errors.ts';
import { type EatenFood, frequentFoods, MAX_ENTRIES_LOOKED_AT, recentFoods } from './eaten-foods.ts';
import {
  type EntryChange,
  type EntryInput,
  type ScanEntriesInput,
  SOURCE_FIELDS,
  SOURCES,
  sourceOf,
} from './entry-input.ts';
import { type FoundNotes, findNotes, type NoteSearch } from './find-notes.ts';
import { toPortion, withRecipe, withScannedAmount } from './portion.ts';
import { type Day, type DayRange, parseDay, parseMoment, WHOLE_DIARY } from './records/day.ts';
import {
  type AddedMethod,
  type DiaryEntry,
  type DiaryOwner,
  MAX_BATCH_ENTRIES,
  type MealType,
  parseNote,
} from './records/entry.ts';
import { inElement, invalidField } from './records/invalid-field.ts';
import { SETTINGS } from './records/record-kinds.ts';
import { type DayTotals, fillDays } from './records/totals.ts';
import { type ScanLookup, scannedPortions } from './scanned-portions.ts';
import type { DiaryStore, EntryPosition } from './store/diary-store.ts';
import type { KeptPhoto } from './store/remembered-photo-store.ts';
import { addTextEntries, type TextEntries, type TextEntriesInput } from './text-entries.ts';

/** Maximum attempts at adding entries that another request adds or deletes concurrently. */
const MAX_ATTEMPTS = 20;

type NewEntry = Omit<DiaryEntry, 'id' | 'version' | 'createdAt' | 'updatedAt'> & {
  readonly date: Day;
};

/** An entry with its position in the request. */
type NumberedInput = readonly [number, EntryInput];

interface WrittenEntries {
  readonly entries: DiaryEntry[];
  /** Whether any of them was added. */
  readonly isNew: boolean;
}

interface ChosenEntriesPorts {
  readonly store: DiaryStore;
  readonly nowMs: () => number;
  /** Makes the entry of each input. */
  readonly make: (inputs: readonly NumberedInput[]) => Promise<readonly NewEntry[]>;
  readonly request: NamedRequest | undefined;
  /** Whether an error names the element. */
  readonly isList: boolean;
}

/** The ids that the client chose for its entries; undefined for entries without one. */
function chosenIds(inputs: readonly EntryInput[]): readonly string[] | undefined {
  const ids = inputs.flatMap(({ id }) => (id === undefined ? [] : (recordIdsOf(id)[0] ?? [])));
  if (ids.length === 0) return undefined;
  if (ids.length === inputs.length && new Set(ids.map(keyOf)).size === ids.length) return ids;
  throw invalidField('id', 'Give each entry an "id" of its own, or none of them.');
}

/** Adds the entries whose ids do not exist, and returns existing ones unchanged. Throws `deleted`. */
async function writeChosen(
  owner: DiaryOwner,
  inputs: readonly EntryInput[],
  ids: readonly string[],
  { store, nowMs, make, request, isList }: ChosenEntriesPorts,
): Promise<WrittenEntries> {
  for (let attempt = 1; ; attempt++) {
    const known = new Map<string, DiaryEntry>();
    const remember = (entries: readonly DiaryEntry[]) => {
      for (const entry of entries) known.set(keyOf(entry.id), entry);
    };
    remember(await store.findEntries(owner, ids));
    const inOtherCase = ids.filter((id) => !known.has(keyOf(id))).flatMap((id) => recordIdsOf(id).slice(1));
    remember(await store.findEntries(owner, inOtherCase));
    const missing = [...inputs.entries()].filter(([at]) => !known.has(keyOf(ids[at]!)));
    const asked = missing.map(([at]) => ids[at]!);
    const deleted = new Set<string>();
    for (const each of [asked, asked.flatMap((id) => recordIdsOf(id).slice(1))])
      for (const id of await store.findDeleted(owner, 'entry', each)) deleted.add(keyOf(id));
    const refused = missing.find(([at]) => deleted.has(keyOf(ids[at]!)));
    if (refused !== undefined) throw isList ? inElement(refused[0], wasDeleted()) : wasDeleted();
    if (missing.length > 0) {
      const made = await make(missing);
      const now = nowMs();
      const times = { version: 1, createdAt: now, updatedAt: now };
      const added = asked.map((id, at): DiaryEntry => ({ ...made[at]!, id, ...times }));
      try {
        await store.addEntries(owner, added, request, now);
      } catch (error) {
        if (!(error instanceof ConstraintError) || attempt === MAX_ATTEMPTS) throw error;
        continue;
      }
      remember(added);
    }
    return { entries: ids.map((id) => known.get(keyOf(id))!), isNew: missing.length > 0 };
  }
}

/** Ids are equal without case. */
function keyOf(id: string): string {
  return id.toLowerCase();
}

interface CopyOrder {
  readonly from: string;
  readonly to: string;
  /** Copies only this meal; by default the whole day. */
  readonly mealType?: MealType | undefined;
  /** The meal of the copies; by default their own. */
  readonly toMealType?: MealType | undefined;
  /** The share of each entry that is copied, such as 0.5; by default all of it. */
  readonly portion?: number | undefined;
}

/**
 * Returns copies of these entries of one day, without the times of eating. Copies from another diary have no
 * notes and recipes, because these belong to that diary.
 */
function copiedEntries(
  entries: readonly DiaryEntry[],
  { to, mealType, toMealType, portion = 1 }: CopyOrder,
  isOwn: boolean,
): NewEntry[] {
  const date = parseDay(to, 'to');
  const chosen = entries.filter((entry) => mealType === undefined || entry.mealType === mealType);
  if (chosen.length > MAX_COPIED_ENTRIES) throw tooManyCopies();
  return chosen.map(({ eatenAt: _, note, recipeId, ...entry }) => ({
    ...shareOf(entry, portion),
    ...(isOwn && note !== undefined && { note }),
    ...(isOwn && recipeId !== undefined && { recipeId }),
    date,
    mealType: toMealType ?? entry.mealType,
  }));
}

/** Longer lists are rejected; the export has no such limit. */
const MAX_LISTED_ENTRIES = 20_000;
const EXPORT_PAGE_ENTRIES = 500;
/**
 * Maximum attempts of a change that competes with other writers. A hundred concurrent writers are possible; more
 * failures are a bug.
 */
const MAX_CHANGE_ATTEMPTS = 120;

interface DiaryPorts {
  readonly store: DiaryStore;
  readonly foods: FoodDirectory;
  readonly scans: ScanLookup;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

/** The source of ids for new entries, and the owner of usable scans. */
export interface WriteRequest {
  /** Source of ids for a request with an `Idempotency-Key`. */
  readonly ids?: IdSource | undefined;
  /** Owner of usable scans; the diary's owner by default. */
  readonly viewer?: ScanViewer | undefined;
  /** Users of the tenant whose recipes and foods may be used, besides those of the diary's owner. */
  readonly sharers?: readonly string[] | undefined;
  /** Whether an error names the element although there is only one. */
  readonly isList?: boolean;
}

/** The diary of users. Every call is for one owner and sees only that owner's data. */
export class Diary {
  readonly #ports: DiaryPorts;

  constructor(ports: DiaryPorts) {
    this.#ports = ports;
  }

  /**
   * Adds all entries or none; an error names the element. If entries exist under `ids`, they are returned and nothing
   * is added.
   */
  async create(
    owner: DiaryOwner,
    inputs: readonly EntryInput[],
    request?: WriteRequest,
  ): Promise<DiaryEntry[]> {
    return (await this.write(owner, inputs, request)).entries;
  }

  /**
   * Like `add`, but returns existing entries with ids chosen by clients unchanged. Throws `deleted` for a
   * deleted one.
   */
  async write(
    owner: DiaryOwner,
    inputs: readonly EntryInput[],
    request: WriteRequest = {},
  ): Promise<WrittenEntries> {
    const { ids, isList = inputs.length > 1 } = request;
    if (inputs.length < 1 || inputs.length > MAX_BATCH_ENTRIES) {
      throw tooManyEntries();
    }
    const chosen = chosenIds(inputs);
    if (chosen !== undefined) {
      const make = (missing: readonly NumberedInput[]) =>
        this.#makeAll(owner, missing, { ...request, isList });
      return writeChosen(owner, inputs, chosen, { ...this.#ports, request: ids?.request, isList, make });
    }
    if (ids?.mayExist) {
      const added = await this.#findAdded(owner, ids, inputs.length);
      if (added.length > 0) return { entries: added, isNew: true };
    }
    const entries = await this.#makeAll(owner, [...inputs.entries()], { ...request, isList });
    return { entries: await this.#add(owner, entries, ids), isNew: true };
  }

  /** Adds an entry for each chosen item of a scan, all of them or none. */
  async createFromScan(
    owner: DiaryOwner,
    input: ScanEntriesInput,
    { ids, viewer = owner, sharers }: WriteRequest = {},
  ): Promise<DiaryEntry[]> {
    const added = ids?.mayExist ? await this.#findAdded(owner, ids, MAX_BATCH_ENTRIES) : [];
    if (added.length > 0) return added;
    const place = placeOf(input, 'image');
    const options = { ...this.#ports, sharers };
    const { job, portions } = await scannedPortions(input.scanJobId, input, { owner, viewer }, options);
    const entries = portions.map((portion) => ({ ...place, ...portion }));
    const remembers = job.vector !== undefined && (await this.#remembersPhotos(owner));
    const photoOf = (added: readonly DiaryEntry[]) =>
      remembers ? confirmedPhoto(owner, job, input, added) : undefined;
    return this.#add(owner, entries, ids, photoOf);
  }

  createFromText(owner: DiaryOwner, input: TextEntriesInput, request?: WriteRequest): Promise<TextEntries> {
    const create = (inputs: readonly EntryInput[]) => this.create(owner, inputs, request);
    const recipesOf = [...new Set([owner.userId, ...(request?.sharers ?? [])])];
    return addTextEntries(owner, input, { foods: this.#ports.foods, recipesOf, create });
  }

  async get(owner: DiaryOwner, id: string): Promise<DiaryEntry> {
    const entry = await findUnderId(id, (known) => this.#ports.store.findEntry(owner, known));
    if (entry === undefined) throw entryNotFound();
    return entry;
  }

  /** Throws `version_conflict` if `version` is given and the entry has another one. */
  async change(owner: DiaryOwner, id: string, change: EntryChange, version?: number): Promise<DiaryEntry> {
    const { store, foods, nowMs } = this.#ports;
    for (let attempt = 0; attempt < MAX_CHANGE_ATTEMPTS; attempt++) {
      const entry = await this.get(owner, id);
      if (version !== undefined && entry.version !== version) break;
      if (Object.values(change).every((value) => value === undefined)) return entry;
      const next = await toChangedEntry(entry, change, owner, { foods, nowMs: nowMs() });
      const outcome = await store.replaceEntry(owner, next);
      if (outcome === 'done') return next;
      if (outcome === 'missing') throw entryNotFound();
    }
    throw versionConflict();
  }

  async remove(owner: DiaryOwner, id: string, version?: number): Promise<void> {
    const outcome = await findUnderId(id, async (known) => {
      const removed = await this.#ports.store.removeEntry(owner, known, version);
      return removed === 'missing' ? undefined : removed;
    });
    if (outcome === undefined) throw entryNotFound();
    if (outcome === 'conflict') throw versionConflict();
  }

  /** An unchanged hint means that all lists of this owner are unchanged; undefined if unknown. */
  hint(owner: DiaryOwner): number | undefined {
    return this.#ports.store.hint(owner);
  }

  /** At most `limit` entries, 1 to 100, after a position in the range. */
  listPage(
    owner: DiaryOwner,
    page: { readonly range: DayRange; readonly after?: EntryPosition; readonly limit: number },
  ): Promise<DiaryEntry[]> {
    return this.#ports.store.listEntries(owner, page);
  }

  async list(owner: DiaryOwner, range: DayRange): Promise<DiaryEntry[]> {
    const entries = await this.#ports.store.listEntries(owner, { range, limit: MAX_LISTED_ENTRIES + 1 });
    if (entries.length <= MAX_LISTED_ENTRIES) return entries;
    throw new AppError({
      code: 'invalid_request',
      message: `This range holds more than ${MAX_LISTED_ENTRIES} entries; ask for fewer days, or use the export.`,
      details: { fields: ['from', 'to'], max: MAX_LISTED_ENTRIES },
    });
  }

  /** One element for each date of the range; by meal with the sums of its meals. */
  async totals(owner: DiaryOwner, range: DayRange, by?: 'day' | 'meal'): Promise<DayTotals[]> {
    return fillDays(range, await this.#ports.store.sumDays(owner, range, by));
  }

  /**
   * Copies a day or a meal to another day as new entries, without the time of eating. Copies from another
   * diary, `source`, also have no notes and recipes.
   */
  async copy(owner: DiaryOwner, order: CopyOrder, ids?: IdSource, source = owner): Promise<DiaryEntry[]> {
    const added = ids?.mayExist ? await this.#findAdded(owner, ids, MAX_COPIED_ENTRIES) : [];
    if (added.length > 0) return added;
    const from = parseDay(order.from, 'from');
    const entries = await this.list(source, { from, to: from });
    return this.#add(owner, copiedEntries(entries, order, source.userId === owner.userId), ids);
  }

  /** All entries of the range in pages, each of one state of the diary. Other requests run between pages. */
  async *export(owner: DiaryOwner, range: DayRange = WHOLE_DIARY): AsyncGenerator<DiaryEntry[]> {
    let page: DiaryEntry[] = [];
    do {
      const after = page.at(-1);
      page = await this.#ports.store.listEntries(owner, {
        range,
        limit: EXPORT_PAGE_ENTRIES,
        ...(after && { after }),
      });
      if (page.length > 0) yield page;
      await nextTurn();
    } while (page.length === EXPORT_PAGE_ENTRIES);
  }

  /** The owner's remembered photos, ordered by the ids of their entries. */
  listPhotos(
    owner: DiaryOwner,
    page: { readonly after: string; readonly limit: number },
  ): Promise<KeptPhoto[]> {
    return this.#ports.store.photos.list(owner, page);
  }

  findNotes(owner: DiaryOwner, search: NoteSearch): Promise<FoundNotes> {
    return findNotes(this.#ports.store, owner, search);
  }

  async recentFoods(owner: DiaryOwner): Promise<EatenFood[]> {
    return recentFoods(await this.#latest(owner));
  }

  async frequentFoods(owner: DiaryOwner): Promise<EatenFood[]> {
    return frequentFoods(await this.#latest(owner));
  }

  /** Erases the user's entries, recipes, goals and custom foods. */
  async eraseUser(owner: DiaryOwner): Promise<void> {
    await this.#ports.store.eraseUser(owner);
  }

  #latest(owner: DiaryOwner): Promise<DiaryEntry[]> {
    return this.#ports.store.listLatest(owner, MAX_ENTRIES_LOOKED_AT);
  }

  /** The entry of each input. Inputs are processed in sequence, so that a request has one pending look-up at an external service. */
  async #makeAll(
    owner: DiaryOwner,
    inputs: readonly NumberedInput[],
    { sharers, isList }: WriteRequest,
  ): Promise<NewEntry[]> {
    const made: NewEntry[] = [];
    for (const [index, input] of inputs) {
      try {
        made.push(await this.#make(owner, input, sharers));
      } catch (error) {
        throw isList ? inElement(index, error) : error;
      }
    }
    return made;
  }

  async #make(owner: DiaryOwner, given: EntryInput, sharers: WriteRequest['sharers']): Promise<NewEntry> {
    const input = withScannedAmount(withRecipe(given));
    const place = placeOf(input, SOURCES[sourceOf(input, SOURCE_FIELDS)].method);
    return { ...place, ...(await toPortion(input, owner, { ...this.#ports, sharers })) };
  }

  /** The entries added by an earlier execution of the same request, without those removed since. */
  async #findAdded(owner: DiaryOwner, ids: IdSource, limit: number): Promise<DiaryEntry[]> {
    const added: DiaryEntry[] = [];
    for (const id of createIds(limit, ids.timeMs, ids.randomBytes)) {
      const entry = await this.#ports.store.findEntry(owner, id);
      if (entry !== undefined) added.push(entry);
    }
    return added;
  }

  async #remembersPhotos(owner: DiaryOwner): Promise<boolean> {
    const settings = await this.#ports.store.records.of(SETTINGS).find(owner, SETTINGS.name);
    return settings?.body['eatenFirst'] !== false;
  }

  async #add(
    owner: DiaryOwner,
    made: readonly NewEntry[],
    ids?: IdSource,
    photoOf: (entries: readonly DiaryEntry[]) => KeptPhoto | undefined = () => undefined,
  ): Promise<DiaryEntry[]> {
    const { store, nowMs, randomBytes } = this.#ports;
    const now = nowMs();
    const newIds = createIds(made.length, ids?.timeMs ?? now, ids?.randomBytes ?? randomBytes);
    const entries: DiaryEntry[] = [];
    for (const [index, entry] of made.entries()) {
      entries.push({ ...entry, id: newIds[index]!, version: 1, createdAt: now, updatedAt: now });
    }
    // If all were removed since, they are returned as created and stay removed.
    if (entries.length === 0 || ids?.isDone === true) return entries;
    await store.addEntries(owner, entries, ids?.request, undefined, photoOf(entries)).catch((error) => {
      // Another execution of the same request, presumed dead, has just added them.
      if (ids === undefined || !(error instanceof ConstraintError)) throw error;
    });
    return entries;
  }
}

/** The fields of an entry that say nothing about its food. */
function placeOf({ date, mealType, addedMethod, eatenAt, note }: Place, method: AddedMethod) {
  return {
    date: parseDay(date),
    mealType,
    addedMethod: addedMethod ?? method,
    ...(eatenAt !== undefined && { eatenAt: parseMoment(eatenAt, 'eatenAt') }),
    ...(note !== undefined && { note: parseNote(note) }),
  };
}

type Place = Omit<ScanEntriesInput, 'scanJobId' | 'items' | 'saveUnsure'>;
