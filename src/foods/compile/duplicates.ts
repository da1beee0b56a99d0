import { formOf } from '@larder/core/codes/barcode-candidates.ts';
import { parseFoodId } from '@larder/core/food.ts';
import { type Gtin, hasValidCheckDigit, toGtin } from '@larder/core/gtin.ts';
import { fold } from '@larder/text/tokens.ts';
import type { StoredRecord } from '../catalogue/food-record.ts';
import { copyId, readRecord } from '../catalogue/food-record-reader.ts';
import { MAX_ID_BYTES } from '../catalogue/food-record-writer.ts';
import { RecordBytesReader } from '../catalogue/record-bytes.ts';
import type { SegmentWriter } from '../catalogue/segment.ts';
import type { SegmentSet } from '../catalogue/segment-set.ts';
import type { MergeReason, MergeTallies, NoticeReason, Tallies } from './compile-report.ts';
import { mergeRecords } from './merge-records.ts';
import type { RecordTable } from './record-table.ts';

/** More records with one GTIN stay separate. */
const MAX_MERGED_RECORDS = 256;

export interface DuplicateSearch {
  readonly table: RecordTable;
  readonly segments: SegmentSet;
  readonly merges: MergeTallies;
  readonly notices: Tallies<NoticeReason>;
  /** The rows whose records became the one of a row, the preferred first. */
  readonly joined: Map<number, readonly number[]>;
}

/**
 * Keeps the record of an id that was imported last. A known product never replaces a food, because some exports of a
 * source lack nutrients that others have.
 */
export function dropReplaced({ table, segments, merges }: DuplicateSearch): void {
  for (const rows of table.rowsOfOneIdHash()) {
    const newest = new Map<string, number>();
    for (const row of rows) {
      const id = idText(segments.read(table.position(row)));
      const older = newest.get(id);
      if (older === undefined) {
        newest.set(id, row);
        continue;
      }
      const isLess = table.isKnown(row) && !table.isKnown(older);
      const loser = isLess ? row : older;
      if (!isLess) newest.set(id, row);
      const position = table.position(loser);
      const isFood = () => !table.isKnown(loser);
      merges.add(isLess ? 'knownOnly' : 'replaced', { position, isFood }, () =>
        idOf(readAt(segments, position)),
      );
      table.drop(loser);
    }
  }
}

/**
 * Merges records with one GTIN into one, in the row of the first. Merged records go to `out`, a segment appended to
 * the others.
 */
export function mergeSameGtin(search: DuplicateSearch, out: SegmentWriter): void {
  const { table, segments, merges, notices, joined } = search;
  for (const rows of table.rowsOfOneGtin()) {
    const mergeable = rows.slice(0, MAX_MERGED_RECORDS);
    const records = mergeable.map((row) => readAt(segments, table.position(row)));
    const pair = () => records.slice(0, 2).map(idOf).join(' and ');
    if (!identifiesOneProduct(toGtin(String(table.gtin(rows[0]!))))) {
      notices.add('doubtfulBarcode', pair, rows.length - 1);
      continue;
    }
    if (rows.length > mergeable.length) {
      notices.add('crowdedBarcode', pair, rows.length - mergeable.length);
    }
    const products = productsAmong(records);
    if (products.length > 1) notices.add('otherDigits', pair, products.length - 1);
    for (const indexes of products) {
      if (indexes.length === 1) continue;
      const merged = mergeRecords(indexes.map((index) => records[index]!));
      for (const index of indexes) {
        const record = records[index]!;
        if (idOf(record) === idOf(merged)) continue;
        const position = table.position(mergeable[index]!);
        const isFood = () => 'food' in record;
        merges.add(
          reasonOf(record, merged),
          { position, isFood },
          () => `${idOf(record)} into ${idOf(merged)}`,
        );
      }
      const [first, ...others] = indexes.map((index) => mergeable[index]!);
      for (const row of others) table.drop(row);
      const winner = indexes.find((index) => idOf(records[index]!) === idOf(merged))!;
      const newestFirst = indexes.toReversed().filter((index) => index !== winner);
      joined.set(
        first!,
        [winner, ...newestFirst].map((index) => mergeable[index]!),
      );
      const position = segments.end + out.position;
      table.replace(first!, out.addRecord(merged), 0, position);
    }
  }
}

/**
 * Groups of records that are one product. Where one source has products of different names under `31233` and
 * `0000000031233`, the digits decide, in all sources.
 */
function productsAmong(records: readonly StoredRecord[]): readonly (readonly number[])[] {
  const all = records.map((_, index) => index);
  const forms = records.map((record) => formOf(digitsOf(record)));
  if (forms.every((form) => form === forms[0])) return [all];
  const names = records.map(nameKeyOf);
  const isOther = (a: number, b: number) =>
    forms[a] !== forms[b] && names[a] !== names[b] && originOf(records[a]!) === originOf(records[b]!);
  if (!all.some((a) => all.some((b) => isOther(a, b)))) return [all];
  const groups: number[][] = [];
  for (const index of all) {
    const group = groups.find((others) =>
      others.some((other) => forms[other] === forms[index] || names[other] === names[index]),
    );
    if (group === undefined) groups.push([index]);
    else group.push(index);
  }
  return groups;
}

function digitsOf(record: StoredRecord): string {
  return 'food' in record ? (record.food.barcode ?? '') : record.known.barcode;
}

function nameKeyOf(record: StoredRecord): string {
  return fold('food' in record ? record.food.name : record.known.name);
}

/**
 * Whether this number identifies one product. A wrong check digit proves nothing, and restricted circulation numbers
 * differ between shops. Source: GS1 General Specifications, GS1 prefixes 02, 04 and 20 to 29, and GTIN-8 prefixes 0
 * and 2.
 */
function identifiesOneProduct(gtin: Gtin): boolean {
  const restricted = /^0(?:02|04|2)/.test(gtin) || /^0{6}[02]/.test(gtin);
  return !restricted && hasValidCheckDigit(gtin);
}

function reasonOf(record: StoredRecord, merged: StoredRecord): MergeReason {
  if ('known' in record) return 'knownOnly';
  return originOf(record) === originOf(merged) ? 'sameOrigin' : 'acrossOrigins';
}

function readAt(segments: SegmentSet, position: number): StoredRecord {
  return readRecord(new RecordBytesReader(segments.read(position)));
}

/** The id's bytes as a key of a map. */
function idText(record: Buffer): string {
  return copyId(new RecordBytesReader(record), Buffer.alloc(MAX_ID_BYTES)).toString('latin1');
}

function idOf(record: StoredRecord): string {
  return 'food' in record ? record.food.id : record.known.id;
}

function originOf(record: StoredRecord): string {
  return parseFoodId(idOf(record))!.origin;
}
