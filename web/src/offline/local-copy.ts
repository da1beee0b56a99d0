import type { IDBPObjectStore, IDBPTransaction } from 'idb';
import type { ChangesPage, DiaryEntry, EatenFood, Goals, Measurement } from 'larder-client';
import { type Day, shifted, today } from '../days.ts';
import { Database, type KeptText, type TableName, type Tables } from './database.ts';
import { withGoals } from './entries/waiting-goals.ts';
import { KeepingError } from './keeping-error.ts';
import { mergeOf } from './queue/merge.ts';
import {
  chosenFoodIds,
  isSame,
  type Kind,
  type NewWrite,
  renamed,
  type Shown,
  type Things,
  type Value,
  type Write,
  withAllWrites,
  withWrites,
} from './queue/writes.ts';

/** Entries of earlier days are read from the service. */
export const DAYS_KEPT = 60;
/** Own foods and recipes that are kept; of more, the service knows the rest. */
const MAX_OF_KIND = 5_000;
const MAX_WRITES = 1_000;
const MAX_TEXTS = 100;

type Notes = {
  readonly cursor: string;
  readonly isComplete: boolean;
  readonly recents: readonly EatenFood[];
  /** That of the names of foods. */
  readonly language: string;
};
type AllGoals = Goals & { readonly all: readonly Goals[] };
type ReadTable = IDBPObjectStore<Tables, ('things' | 'writes')[], 'things', 'readonly'>;
type Writing = IDBPTransaction<Tables, TableName[], 'readwrite'>;

/** What this device knows of one person: the objects of the service, and the writes that the service does not have yet. */
export class LocalCopy {
  readonly #database: Database;

  constructor(personId: string) {
    this.#database = new Database(personId);
  }

  /** Whether entries of a day are kept. Days to come are. */
  keeps(day: Day): boolean {
    return day >= firstDay();
  }

  async note<K extends keyof Notes>(key: K): Promise<Notes[K] | undefined> {
    return (await this.#database.run((database) => database.get('notes', key))) as Notes[K] | undefined;
  }

  async setNote<K extends keyof Notes>(key: K, value: Notes[K]): Promise<void> {
    await this.#database.run((database) => database.put('notes', value, key));
  }

  /** Takes over a page of the feed together with its cursor. Older versions than those that are kept are ignored. */
  async apply({ changes, cursor, more }: ChangesPage): Promise<void> {
    await this.#write(['things', 'notes'], async (transaction) => {
      const things = transaction.objectStore('things');
      for (const { kind, op, id, value } of changes) {
        if (op === 'delete') await things.delete([kind, id]);
        else if (!(await isKnown(transaction, kind, id, value as Value)))
          await this.#put(transaction, kind, id, value as Value);
      }
      await transaction.objectStore('notes').put(cursor, 'cursor');
      if (!more) await transaction.objectStore('notes').put(true, 'isComplete');
    });
  }

  /** Forgets what the service told, and keeps what is to be sent. */
  async forget(): Promise<void> {
    await this.#write(['things', 'notes'], async (transaction) => {
      await transaction.objectStore('things').clear();
      await transaction.objectStore('notes').clear();
    });
  }

  /** Forgets what the service told in another language. Settings have no names of foods, and a change needs their version. */
  async forgetNames(language: string): Promise<void> {
    await this.#write(['things', 'notes'], async (transaction) => {
      const [things, notes] = [transaction.objectStore('things'), transaction.objectStore('notes')];
      const settings = await things.get(['settings', 'settings']);
      await things.clear();
      await notes.clear();
      if (settings !== undefined) await things.put(settings);
      await notes.put(language, 'language');
    });
  }

  /** Deletes everything but what is to be sent, and the whole database if nothing is. */
  async clear(): Promise<void> {
    await this.forget();
    const [writes, texts] = await Promise.all([this.writes(), this.texts()]);
    if (writes.length + texts.length === 0) await this.#database.delete();
  }

  /** Deletes entries and water of days that are no longer kept. */
  async prune(): Promise<void> {
    await this.#write(['things'], async (transaction) => {
      const byDate = transaction.objectStore('things').index('date');
      const tooOld = IDBKeyRange.upperBound(firstDay(), true);
      for (let at = await byDate.openCursor(tooOld); at !== null; at = await at.continue())
        if (isPast(at.value.kind, at.value.value)) await at.delete();
      const measured = transaction.objectStore('things').index('kind');
      for (let at = await measured.openCursor('measurement'); at !== null; at = await at.continue())
        if (isPast('measurement', at.value.value)) await at.delete();
    });
  }

  /** The entries of a day with the writes that wait, in the order in which they were made. */
  entriesOf(day: Day): Promise<Shown<DiaryEntry>[]> {
    return this.entriesBetween(day, day);
  }

  /** The entries from one day to another, both included, with the writes that wait. */
  async entriesBetween(from: Day, to: Day): Promise<Shown<DiaryEntry>[]> {
    const days = IDBKeyRange.bound(from, to);
    const [things, writes] = await this.#readWithWrites((table) => table.index('date').getAll(days));
    const known = things.filter(({ kind }) => kind === 'entry').map(({ value }) => value as DiaryEntry);
    const all = withAllWrites('entry', known, writes);
    return all.filter(({ date }) => from <= date && date <= to);
  }

  /** Objects of a kind with the writes that wait. */
  async all<K extends keyof Things>(kind: K): Promise<Shown<Things[K]>[]> {
    const [things, writes] = await this.#readWithWrites((table) => table.index('kind').getAll(kind));
    const known = things.map(({ value }) => value as Things[K]);
    return withAllWrites(kind, known, writes);
  }

  /** Objects of a kind that the service told, with the writes that wait. */
  async withWaiting<K extends keyof Things>(
    kind: K,
    known: readonly Things[K][],
  ): Promise<Shown<Things[K]>[]> {
    return withAllWrites(kind, known, await this.writes());
  }

  async find<T extends Value>(kind: Kind, id: string): Promise<T | undefined> {
    return (await this.#database.run((database) => database.get('things', [kind, id])))?.value as
      | T
      | undefined;
  }

  /** An object with the writes that wait. */
  async findShown<K extends keyof Things>(kind: K, id: string): Promise<Shown<Things[K]> | undefined> {
    const [known, writes] = await this.#readWithWrites((table) => table.get([kind, id]));
    const own = writes.filter((write) => isSame(write, { kind, id }));
    return withWrites(known?.value as Things[K] | undefined, own);
  }

  /** All goals, oldest first, with those that wait to be sent. */
  async goals(): Promise<readonly Goals[] | undefined> {
    const [known, writes] = await this.#readWithWrites((table) => table.get(['goals', 'goals']));
    return withGoals((known?.value as AllGoals | undefined)?.all, writes);
  }

  /** All writes, oldest first. */
  async writes(): Promise<Write[]> {
    return (await this.#database.run((database) => database.getAll('writes'))) as Write[];
  }

  /** Adds writes to the queue: all or none. Throws `KeepingError`. */
  async queue(writes: readonly NewWrite[]): Promise<Write[]> {
    return this.#write(['writes', 'things'], async (transaction) => {
      const table = transaction.objectStore('writes');
      if ((await table.count()) + writes.length > MAX_WRITES) throw new KeepingError('too_many');
      const queued: Write[] = [];
      for (const write of writes) {
        const known = await withIdsOfService(transaction, write);
        const added = {
          ...(await forVersionKept(transaction, known)),
          attempts: 0,
          state: 'waiting' as const,
        };
        queued.push({ ...added, seq: await table.add(added) });
      }
      return queued;
    });
  }

  /** Replaces a write; false if it is gone. */
  async update(write: Write): Promise<boolean> {
    return this.#write(['writes'], async (transaction) => {
      const table = transaction.objectStore('writes');
      if ((await table.get(write.seq)) === undefined) return false;
      await table.put(write);
      return true;
    });
  }

  /** Takes writes out of the queue that were never sent. Returns whether all of them were there. */
  async cancel(writes: readonly Write[]): Promise<boolean> {
    return this.#write(['writes'], async (transaction) => {
      const table = transaction.objectStore('writes');
      const kept = await Promise.all(writes.map(({ seq }) => table.get(seq)));
      if (kept.some((write) => write === undefined || write.attempts > 0)) return false;
      for (const { seq } of writes) await table.delete(seq);
      return true;
    });
  }

  /** Takes a write out of the queue whatever became of it. */
  async discard({ seq }: Write): Promise<void> {
    await this.#write(['writes'], (transaction) => transaction.objectStore('writes').delete(seq));
  }

  /**
   * Takes a confirmed write out of the queue. Later writes of its object are then for the confirmed version, and for the id that the
   * service gave it.
   */
  async settle(write: Write, value: Value | undefined): Promise<void> {
    await this.#write(['writes', 'things'], async (transaction) => {
      const table = transaction.objectStore('writes');
      await table.delete(write.seq);
      const { id = write.id } = (value ?? {}) as { id?: string };
      for (const later of (await table.getAll()) as Write[]) {
        const next = id === write.id ? later : renamed(later, write.id, id);
        if (isSame(later, write) && value !== undefined) await table.put({ ...next, base: value });
        else if (next !== later) await table.put(next);
      }
      if (write.kind === 'goals') await keepGoals(transaction, write);
      else if (value === undefined) await transaction.objectStore('things').delete([write.kind, write.id]);
      else await this.#put(transaction, write.kind, id, value);
    });
  }

  async texts(): Promise<KeptText[]> {
    return this.#database.run((database) => database.getAll('texts'));
  }

  /** Throws `KeepingError`. */
  async keepText(text: KeptText): Promise<void> {
    await this.#write(['texts'], async (transaction) => {
      const table = transaction.objectStore('texts');
      if ((await table.count()) >= MAX_TEXTS) throw new KeepingError('too_many');
      await table.put(text);
    });
  }

  async discardText(id: string): Promise<void> {
    await this.#write(['texts'], (transaction) => transaction.objectStore('texts').delete(id));
  }

  close(): void {
    this.#database.close();
  }

  async #put(transaction: Writing, kind: Kind, id: string, value: Value): Promise<void> {
    const things = transaction.objectStore('things');
    const kept = await things.get([kind, id]);
    if ((kept?.value.version ?? 0) > (value.version ?? 0)) return;
    if (isPast(kind, value)) return things.delete([kind, id]);
    if (kept === undefined && kind !== 'entry' && (await things.index('kind').count(kind)) >= MAX_OF_KIND)
      return;
    await things.put({ kind, id, value });
  }

  /**
   * Reads objects and the writes that wait in one transaction: between two of them a write may be confirmed, and would be in neither
   * answer.
   */
  #readWithWrites<T>(read: (things: ReadTable) => Promise<T>): Promise<readonly [T, Write[]]> {
    return this.#database.run(async (database) => {
      const transaction = database.transaction(['things', 'writes']);
      const writes = transaction.objectStore('writes').getAll() as Promise<Write[]>;
      return Promise.all([read(transaction.objectStore('things')), writes]);
    });
  }

  /** One transaction; what `work` throws undoes it. */
  async #write<T>(tables: TableName[], work: (transaction: Writing) => Promise<T>): Promise<T> {
    try {
      return await this.#database.run(async (database) => {
        const transaction = database.transaction(tables, 'readwrite');
        try {
          const result = await work(transaction);
          await transaction.done;
          return result;
        } catch (error) {
          // The abortion makes `done` fail, too; the first error is the one to tell.
          transaction.done.catch(() => {});
          try {
            transaction.abort();
          } catch {}
          throw error;
        }
      });
    } catch (error) {
      if (error instanceof KeepingError) throw error;
      throw new KeepingError(
        (error as Error).name === 'QuotaExceededError' ? 'no_space' : 'unavailable',
        error,
      );
    }
  }
}

/** Whether it belongs to a day that is no longer kept: entries, and water, of which there is much. Weights are kept. */
function isPast(kind: Kind, value: Value): boolean {
  if (kind === 'entry') return (value as DiaryEntry).date < firstDay();
  const { name, measuredAt } = value as Measurement;
  return kind === 'measurement' && name === 'water' && measuredAt.slice(0, 10) < firstDay();
}

function firstDay(): Day {
  return shifted(today(), -DAYS_KEPT);
}

/** A form may show a food by the id of this device while the service gives it a longer one. */
async function withIdsOfService(transaction: Writing, write: NewWrite): Promise<NewWrite> {
  let known = write;
  for (const id of chosenFoodIds(write)) {
    const longer = IDBKeyRange.bound(['food', `${id}.`], ['food', `${id}/`]);
    const key = await transaction.objectStore('things').getKey(longer);
    if (key !== undefined) known = renamed(known, id, key[1]);
  }
  return known;
}

/** A change of an object that a confirmed write has changed since, in other fields, is for the version of that write. */
async function forVersionKept(transaction: Writing, write: NewWrite): Promise<NewWrite> {
  const { kind, id, op, base } = write;
  if (op !== 'change' || base === undefined) return write;
  const kept = (await transaction.objectStore('things').get([kind, id]))?.value;
  if (kept === undefined || (kept.version ?? 0) <= (base.version ?? 0)) return write;
  return mergeOf({ ...write, seq: 0, attempts: 0, state: 'waiting' }, kept) === 'apply'
    ? { ...write, base: kept }
    : write;
}

/** Whether this version is kept already: that of an answer may say more, such as what looks wrong in a food. */
async function isKnown(transaction: Writing, kind: Kind, id: string, { version }: Value): Promise<boolean> {
  const kept = await transaction.objectStore('things').get([kind, id]);
  return version !== undefined && kept?.value.version === version;
}

/** The answer to changed goals lacks the others, which the feed brings later. */
async function keepGoals(transaction: Writing, write: Write): Promise<void> {
  const things = transaction.objectStore('things');
  const kept = (await things.get(['goals', 'goals']))?.value as AllGoals | undefined;
  const all = withGoals(kept?.all, [{ ...write, state: 'waiting' }]);
  await things.put({ kind: 'goals', id: 'goals', value: { ...kept, all } as Value });
}
