import type {
  DailyTotals,
  DatedTotals,
  DiaryCopy,
  DiaryEntry,
  DiaryEntryBatchPatch,
  DiaryEntryChangeOutcome,
  DiaryEntryDeletionOutcome,
  DiaryEntryInput,
  DiaryEntryPatch,
  DiaryEntryRef,
  DiaryNote,
  ExportDiaryData,
  GetDiaryTotalsData,
  ListDailyTotalsData,
  ListDiaryEntriesData,
  ListDiaryEntriesOfRangeData,
  ListDiaryNotesData,
  ScanEntriesInput,
  TextEntries,
  TextEntriesInput,
} from '../generated/types.gen.ts';
import { List } from '../http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from '../http/options.ts';
import { path, queryOf } from '../http/path.ts';
import type { Transport } from '../http/transport.ts';

export type DiaryListQuery = NonNullable<ListDiaryEntriesData['query']>;
export type DiaryRangeQuery = NonNullable<ListDiaryEntriesOfRangeData['query']>;
export type NotesQuery = NonNullable<ListDiaryNotesData['query']>;
export type DayTotalsQuery = NonNullable<GetDiaryTotalsData['query']>;
export type RangeTotalsQuery = NonNullable<ListDailyTotalsData['query']>;
export type ExportRange = Required<Omit<NonNullable<ExportDiaryData['query']>, 'format'>>;

/** Operations on the entries of a user. */
export class Diary {
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, userPath: string) {
    this.#transport = transport;
    this.#path = `${userPath}/diary`;
  }

  /**
   * Writes an entry. An array is written completely or not at all; a text becomes an entry for each food that
   * it names, a scan one for each of its items.
   */
  add(entry: DiaryEntryInput, options?: CreateOptions): Promise<DiaryEntry>;
  add(entries: readonly DiaryEntryInput[], options?: CreateOptions): Promise<DiaryEntry[]>;
  add(text: TextEntriesInput, options?: CreateOptions): Promise<TextEntries>;
  add(scan: ScanEntriesInput, options?: CreateOptions): Promise<DiaryEntry[]>;
  add(
    input: DiaryEntryInput | readonly DiaryEntryInput[] | TextEntriesInput | ScanEntriesInput,
    options?: CreateOptions,
  ): Promise<unknown> {
    const post = (below: string, body: unknown) =>
      this.#transport.json('POST', this.#path + below, options, { body });
    if (Array.isArray(input)) return post('/batch', input);
    if ('text' in input) return post('/text', input);
    if ('scanJobId' in input) return post('/scan', input);
    return post('', input);
  }

  /** The entries of a day (`date`), or of a range (`from`, `to`) in pages. */
  list(query: DiaryListQuery | DiaryRangeQuery, options?: CallOptions): List<DiaryEntry> {
    const path = 'date' in query ? this.#path : `${this.#path}/entries`;
    return new List(this.#transport, { path, options }, query);
  }

  get(id: string, options?: CallOptions): Promise<DiaryEntry> {
    return this.#transport.json('GET', this.#at(id), options);
  }

  /** Changes the given fields of an entry. */
  change(id: string, patch: DiaryEntryPatch, options?: ChangeOptions): Promise<DiaryEntry> {
    return this.#transport.json('PATCH', this.#at(id), options, { body: patch });
  }

  /** Changes several entries, each by itself: an outcome has the entry or the error. */
  changeAll(
    patches: readonly DiaryEntryBatchPatch[],
    options?: CallOptions,
  ): Promise<DiaryEntryChangeOutcome[]> {
    return this.#transport.json('PATCH', `${this.#path}/batch`, options, { body: patches });
  }

  /** Deletes several entries, each by itself. */
  removeAll(
    entries: readonly DiaryEntryRef[],
    options?: CreateOptions,
  ): Promise<DiaryEntryDeletionOutcome[]> {
    return this.#transport.json('POST', `${this.#path}/batch/delete`, options, { body: entries });
  }

  remove(id: string, options?: ChangeOptions): Promise<void> {
    return this.#transport.json('DELETE', this.#at(id), options);
  }

  /** Sums of a day, or of each day of a range. */
  totals(query: DayTotalsQuery, options?: CallOptions): Promise<DailyTotals>;
  totals(query: RangeTotalsQuery, options?: CallOptions): Promise<DatedTotals[]>;
  totals(
    query: DayTotalsQuery | RangeTotalsQuery,
    options?: CallOptions,
  ): Promise<DailyTotals | DatedTotals[]> {
    const path = 'date' in query ? 'totals' : 'totals/days';
    return this.#transport.json('GET', `${this.#path}/${path}${queryOf(query)}`, options);
  }

  /** Notes on days and entries, the newest first; with `q` those that contain all its words. */
  notes(query: NotesQuery = {}, options?: CallOptions): List<DiaryNote> {
    return new List(this.#transport, { path: `${this.#path}/notes`, options }, query);
  }

  /** Copies a day, or a meal of it, to another day. */
  copy(input: DiaryCopy, options?: CreateOptions): Promise<DiaryEntry[]> {
    return this.#transport.json('POST', `${this.#path}/copy`, options, { body: input });
  }

  /** All entries, or those of a range, as the text of a CSV table or as an array. */
  export(format: 'csv', range?: ExportRange, options?: CallOptions): Promise<string>;
  export(format: 'json', range?: ExportRange, options?: CallOptions): Promise<DiaryEntry[]>;
  export(format: 'csv' | 'json', range?: ExportRange, options?: CallOptions): Promise<unknown> {
    const address = `${this.#path}/export${queryOf({ format, ...range })}`;
    return format === 'csv'
      ? this.#transport.send({ path: address, options }, (response) => response.text())
      : this.#transport.json('GET', address, options);
  }

  #at(id: string): string {
    return this.#path + path`/${id}`;
  }
}
