import type { Random } from '../../../bench/support/search-random.ts';
import type { AddRecord } from '../history-record.ts';

/** Entries that are written to a day before the next day begins, so that lists stay short. */
const DAY_ENTRIES = 30;
/** Entries of latest days that are changed and removed. */
const MAX_KNOWN = 40;
const MAX_NAMED = 20;
const FIRST_DAY = Date.UTC(2030, 0, 1);
const DAY_MS = 86_400_000;

/** An entry whose id was confirmed; the version is the latest known one, if any. */
export interface KnownEntry {
  readonly date: string;
  readonly id: string;
  version: number;
}

/** A repeatable addition, confirmed or not. */
export interface NamedAddition {
  readonly date: string;
  readonly key: string;
  readonly marks: readonly string[];
  readonly isBatch: boolean;
}

/**
 * Knowledge that the devices of one user share. They only change and remove confirmed entries, so that the
 * response to a repeated addition does not depend on whether it was stored or the entries were found.
 */
export class DiaryUser {
  readonly id: string;
  /** Additions to be repeated until they are confirmed. */
  readonly unanswered: NamedAddition[] = [];
  readonly #answered: NamedAddition[] = [];
  readonly #known: KnownEntry[] = [];
  readonly #learned = new Set<string>();
  #day = 0;
  #entriesOfDay = 0;
  #writes = 0;

  constructor({ id }: { readonly id: string }) {
    this.id = id;
  }

  /** Date of the day that is being written. */
  get date(): string {
    return this.#dateOf(this.#day);
  }

  /** All days so far. */
  get dates(): string[] {
    return Array.from({ length: this.#day + 1 }, (_, day) => this.#dateOf(day));
  }

  newMarks(count: number): string[] {
    this.#entriesOfDay += count;
    if (this.#entriesOfDay > DAY_ENTRIES) {
      this.#day++;
      this.#entriesOfDay = count;
    }
    return Array.from({ length: count }, () => this.newMark());
  }

  newMark(): string {
    return `${this.id} ${++this.#writes}`;
  }

  /** Remembers added entries, but not those learned earlier, which may be deleted by now. */
  learn(date: string, added: NonNullable<AddRecord['added']>): void {
    const news = added.filter(({ id }) => !this.#learned.has(id));
    for (const { id } of news) this.#learned.add(id);
    this.#known.push(...news.map(({ id }) => ({ date, id, version: 1 })));
    this.#known.splice(0, this.#known.length - MAX_KNOWN);
  }

  forget(entry: KnownEntry): void {
    const at = this.#known.indexOf(entry);
    if (at >= 0) this.#known.splice(at, 1);
  }

  pickEntry(random: Random): KnownEntry | undefined {
    return this.#known.length === 0 ? undefined : random.pick(this.#known);
  }

  answered(addition: NamedAddition): void {
    const at = this.unanswered.indexOf(addition);
    if (at >= 0) this.unanswered.splice(at, 1);
    this.#answered.push(addition);
    this.#answered.splice(0, this.#answered.length - MAX_NAMED);
  }

  pickAnswered(random: Random): NamedAddition | undefined {
    return this.#answered.length === 0 ? undefined : random.pick(this.#answered);
  }

  #dateOf(day: number): string {
    return new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 'YYYY-MM-DD'.length);
  }
}
