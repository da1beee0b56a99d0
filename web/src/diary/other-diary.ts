import { signal } from '@preact/signals';
import { type DiaryEntry, type DiaryEntryInput, type EatenFood, type Food, LarderError } from 'larder-client';
import { larder } from '../larder.ts';
import { isReached } from '../offline/device.ts';
import type { KnownFoods } from '../offline/entries/previews.ts';
import { newId } from '../offline/ids.ts';
import { outcomeOf } from '../offline/queue/outcome.ts';
import { send } from '../offline/queue/send.ts';
import type { Taken } from '../offline/queue/write.ts';
import type { NewWrite, ShownEntry, Write } from '../offline/queue/writes.ts';
import { problemOf } from '../parts/problem.ts';
import { texts } from '../texts/texts.ts';
import type { Diary } from './diary.ts';

const MAX_RECENTS = 50;
/** How often a write is sent again for the version that another device made. */
const MAX_ATTEMPTS = 3;

/** The diary of a person who shares it: the service alone has it, so that nothing is kept here and nothing waits. */
export class OtherDiary implements Diary {
  readonly userId: string;
  readonly isKept = false;
  readonly changes = signal(0);
  readonly #name: string;
  #recents: readonly EatenFood[] = [];
  /** Ids of the additions whose answer was lost, by their values. */
  #unanswered: ReadonlyMap<string, string[]> = new Map();

  /** `name` is that of the person. */
  constructor(userId: string, name: string) {
    this.userId = userId;
    this.#name = name;
  }

  async kept(): Promise<undefined> {}

  async withWaiting(_: string, known: readonly DiaryEntry[]): Promise<readonly ShownEntry[]> {
    return known;
  }

  async goals(): Promise<undefined> {}

  async recents(): Promise<readonly EatenFood[]> {
    this.#recents = await larder.user(this.userId).foods.recent({ limit: MAX_RECENTS }, { maxRetries: 0 });
    return this.#recents;
  }

  async known(_: object, food?: Food): Promise<KnownFoods> {
    return { food, eaten: this.#recents };
  }

  find(id: string): Promise<DiaryEntry> {
    return larder.user(this.userId).diary.get(id, { maxRetries: 0 });
  }

  idFor(input: object): string {
    return this.#unanswered.get(JSON.stringify(input))?.shift() ?? newId();
  }

  /** Additions are taken all or none; of other writes those are left that were refused. */
  async write(wanted: readonly NewWrite[]): Promise<Taken> {
    const writes = wanted.map((each, seq): Write => ({ ...each, seq, attempts: 0, state: 'waiting' }));
    const left = wanted.every(({ kind, op }) => kind === 'entry' && op === 'add')
      ? await this.#addAll(writes)
      : await this.#each(writes);
    return { left, cancel: async () => false, discard: async () => {} };
  }

  problemOf(error: unknown): string {
    const { needsService, refused, conflict } = texts.peek().otherDay;
    const code = error instanceof LarderError ? error.code : undefined;
    if (code === 'connection_failed') return needsService(this.#name);
    if (code === 'forbidden') return refused(this.#name);
    return code === 'version_conflict' ? conflict : problemOf(error);
  }

  async #addAll(writes: readonly Write[]): Promise<[]> {
    const { diary } = larder.user(this.userId);
    const add = (bodies: readonly (object | undefined)[]) =>
      diary.add(bodies as DiaryEntryInput[], { maxRetries: 0 });
    try {
      await add(writes.map(({ body }) => body)).catch((error: unknown) => {
        const isGone = error instanceof LarderError && (error.status === 404 || error.status === 410);
        if (!isGone || writes.every(({ bodyWithoutFood }) => bodyWithoutFood === undefined)) throw error;
        return add(writes.map(({ body, bodyWithoutFood }) => bodyWithoutFood ?? body));
      });
    } catch (error) {
      if (isUnanswered(error)) this.#unanswered = idsByValues(writes);
      throw noticed(error);
    }
    this.#unanswered = new Map();
    this.#hasChanged();
    return [];
  }

  async #each(writes: readonly Write[]): Promise<readonly Write[]> {
    const left: Write[] = [];
    let first: unknown;
    for (const write of writes) {
      try {
        await this.#one(write);
      } catch (error) {
        if (!(noticed(error) instanceof LarderError)) throw error;
        first ??= error;
        left.push({ ...write, state: 'refused', reason: error as LarderError });
      }
    }
    this.#hasChanged();
    if (left.length === writes.length && left.length > 0) throw first;
    return left;
  }

  /** Sends a write, again where another device has changed other fields of its entry. */
  async #one(wanted: Write): Promise<void> {
    let write = wanted;
    for (let attempt = 1; ; attempt++) {
      try {
        await send(larder, this.userId, write);
        return;
      } catch (error) {
        if (!(error instanceof LarderError)) throw error;
        const outcome = outcomeOf(write, error);
        if (outcome.kind === 'done') return;
        if (outcome.kind !== 'again' || attempt === MAX_ATTEMPTS) throw error;
        write = outcome.write;
      }
    }
  }

  #hasChanged(): void {
    this.changes.value++;
  }
}

function idsByValues(writes: readonly Write[]): ReadonlyMap<string, string[]> {
  const all = Map.groupBy(writes, ({ body }) => {
    const { id: _, ...values } = body as { readonly id?: string };
    return JSON.stringify(values);
  });
  return new Map([...all].map(([values, same]) => [values, same.map(({ id }) => id)]));
}

/** The error, which may say that the service cannot be reached. */
function noticed(error: unknown): unknown {
  if (isUnanswered(error)) isReached.value = false;
  return error;
}

/** Whether the service may have taken a write all the same. */
function isUnanswered(error: unknown): boolean {
  return error instanceof LarderError && error.code === 'connection_failed';
}
