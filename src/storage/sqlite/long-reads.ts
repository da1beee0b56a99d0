import { setImmediate as nextTurn } from 'node:timers/promises';
import type Sqlite from 'better-sqlite3';
import type { DayRange } from '../../diary/day.ts';
import type { EntryPosition } from '../../diary/diary-store.ts';
import { AMOUNT_KEYS, type DiaryEntry, type DiaryOwner } from '../../diary/entry.ts';
import type { DayTotals } from '../../diary/totals.ts';
import { SLICE_ENTRIES } from '../../slices.ts';
import { ENTRY_COLUMNS, REST_COLUMNS, type Row, toDayTotals, toEntry } from '../diary-rows.ts';
import { ReadTurns } from './read-turns.ts';

/** Entries that a thread sums up without a pause: about four milliseconds. A single day may hold four times as many. */
export const SLICE_SUMMED = 5_000;

const OWNED = 'tenant_id = ? and user_id = ?';
const AMOUNT_COLUMNS = [...AMOUNT_KEYS, ...REST_COLUMNS.split(', ')];
export const SUMS = AMOUNT_COLUMNS.map((column) => `coalesce(sum(${column}), 0)`).join(', ');
const IN_RANGE = '(date, id) > (?, ?) and date <= ? order by date, id';

/** After a position and up to a day, at most so many. */
export const LIST_ENTRIES = `select ${ENTRY_COLUMNS} from diary_entries where ${OWNED} and ${IN_RANGE} limit ?`;

/** Of a slice a row for each day: the day, its sums, how many entries they are of, and the last one's id. */
const SUM_SLICE =
  `select date, ${SUMS}, count(*), max(id) from (` +
  `select date, id, ${AMOUNT_COLUMNS.join(', ')} from diary_entries where ${OWNED} and ${IN_RANGE} limit ${SLICE_SUMMED}` +
  ') group by date order by date';
const COUNT_AT = 1 + AMOUNT_COLUMNS.length;

/**
 * Reads that would keep a thread busy for long. They go in slices, between which the thread does its other work, inside one
 * transaction, so that what is read is one state of the diary. One runs at a time, users in turn.
 *
 * The connection is its own: a transaction that is open across slices hides later writes from every read beside it.
 */
export class LongReads {
  readonly #sqlite: Sqlite.Database;
  readonly #turns = new ReadTurns();
  readonly #listEntries: Sqlite.Statement;
  readonly #sumSlice: Sqlite.Statement;

  constructor({ sqlite }: { readonly sqlite: Sqlite.Database }) {
    this.#sqlite = sqlite;
    this.#listEntries = sqlite.prepare(LIST_ENTRIES).raw();
    this.#sumSlice = sqlite.prepare(SUM_SLICE).raw();
  }

  listEntries(
    owner: DiaryOwner,
    { after, to, limit }: { after: EntryPosition; to: string; limit: number },
  ): Promise<DiaryEntry[]> {
    return this.#inOneState(owner, async () => {
      const entries: DiaryEntry[] = [];
      for (;;) {
        const { date, id } = entries.at(-1) ?? after;
        const size = Math.min(SLICE_ENTRIES, limit - entries.length);
        const rows = this.#listEntries.all(owner.tenant, owner.userId, date, id, to, size) as Row[];
        for (const row of rows) entries.push(toEntry(row));
        if (rows.length < SLICE_ENTRIES || entries.length === limit) return entries;
        await nextTurn();
      }
    });
  }

  sumDays(owner: DiaryOwner, { from, to }: DayRange): Promise<DayTotals[]> {
    return this.#inOneState(owner, async () => {
      const days = new Map<string, number[]>();
      let [date, id] = [from as string, ''];
      for (;;) {
        const rows = this.#sumSlice.all(owner.tenant, owner.userId, date, id, to) as Row[];
        for (const row of rows) addSums(days, row);
        const count = rows.reduce((sum, row) => sum + (row[COUNT_AT] as number), 0);
        if (count < SLICE_SUMMED) return [...days].map(([day, sums]) => toDayTotals([day, ...sums]));
        [date, id] = [rows.at(-1)![0] as string, rows.at(-1)!.at(-1) as string];
        await nextTurn();
      }
    });
  }

  close(): void {
    this.#sqlite.close();
  }

  #inOneState<T>({ tenant, userId }: DiaryOwner, read: () => Promise<T>): Promise<T> {
    // Neither name holds a space.
    return this.#turns.run(`${tenant} ${userId}`, async () => {
      this.#sqlite.exec('begin');
      try {
        return await read();
      } finally {
        if (this.#sqlite.inTransaction) this.#sqlite.exec('commit');
      }
    });
  }
}

/** A day may lie in several slices. */
function addSums(days: Map<string, number[]>, [date, ...values]: Row): void {
  const sums = values.slice(0, AMOUNT_COLUMNS.length) as number[];
  const known = days.get(date as string);
  days.set(date as string, known === undefined ? sums : sums.map((sum, at) => sum + known[at]!));
}
