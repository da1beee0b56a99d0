import type {
  DailyTotals,
  DatedTotals,
  DiaryEntry,
  DiaryEntryInput,
  ExportDiaryData,
  GetDiaryTotalsData,
  ListDailyTotalsData,
  ListDiaryEntriesData,
  ListDiaryEntriesOfRangeData,
  ScanEntriesInput,
  TextEntries,
  TextEntriesInput,
} from '../generated/types.gen.ts';
import { List } from '../http/list.ts';
import type { CallOptions, CreateOptions } from '../http/options.ts';
import { queryOf } from '../http/path.ts';
import { readJson, readText } from '../http/response.ts';
import { DiaryMethods } from '../methods/methods.gen.ts';

export type ExportRange = Required<Omit<NonNullable<ExportDiaryData['query']>, 'format'>>;

/** Operations on the entries of a user. */
export class Diary extends DiaryMethods {
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
    const below = Array.isArray(input)
      ? '/batch'
      : 'text' in input
        ? '/text'
        : 'scanJobId' in input
          ? '/scan'
          : '';
    return this.transport.json({ method: 'POST', path: this.path + below, body: input, options });
  }

  /** The entries of a day (`date`), or of a range (`from`, `to`) in pages. */
  list(
    query: ListDiaryEntriesData['query'] | ListDiaryEntriesOfRangeData['query'],
    options?: CallOptions,
  ): List<DiaryEntry> {
    const path = 'date' in query ? this.path : `${this.path}/entries`;
    return new List(this.transport, { path, options }, query);
  }

  /** Sums of a day, or of each day of a range. */
  totals(query: GetDiaryTotalsData['query'], options?: CallOptions): Promise<DailyTotals>;
  totals(query: ListDailyTotalsData['query'], options?: CallOptions): Promise<DatedTotals[]>;
  totals(query: object, options?: CallOptions): Promise<unknown> {
    const below = 'date' in query ? '/totals' : '/totals/days';
    return this.transport.json({ path: this.path + below + queryOf(query), options });
  }

  /** All entries, or those of a range, as the text of a CSV table or as an array. */
  export(format: 'csv', range?: ExportRange, options?: CallOptions): Promise<string>;
  export(format: 'json', range?: ExportRange, options?: CallOptions): Promise<DiaryEntry[]>;
  export(format: 'csv' | 'json', range?: ExportRange, options?: CallOptions): Promise<unknown> {
    const call = { path: `${this.path}/export${queryOf({ format, ...range })}`, options };
    return this.transport.send<unknown>(call, format === 'csv' ? readText : readJson);
  }
}
