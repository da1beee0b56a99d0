import { HASH_SEED, hashEnd, hashStep } from './hash.ts';
import { forEachDocument, type Steps } from './steps.ts';

/**
 * The forward index: for every document its words in order of appearance, after a header with the values that
 * ranking reads for every document, so that one read costs one cache line.
 *
 *     entries  │ header │ word │ word │ word │ header │ word │ …
 *                ▲ entryStarts[0]                ▲ entryStarts[1]
 *     header   popularity (8 bits) · words in the shortest of name and aliases (8 bits) · has a brand (1 bit)
 *     word     term (28 bits) · starts a field (1 bit) · field (2 bits)
 */
export interface DocumentSections {
  readonly entries: Uint32Array;
  /** Start of each document, and one end. */
  readonly entryStarts: Uint32Array;
}

export const NAME = 0;
export const BRAND = 1;
export const ALIAS = 2;
export type Field = typeof NAME | typeof BRAND | typeof ALIAS;

export const TERM_MASK = 0x0fff_ffff;
const STARTS_FIELD = 0x1000_0000;
const FIELD_SHIFT = 29;

export function toDocumentEntry(term: number, field: Field, startsField: boolean): number {
  return ((field << FIELD_SHIFT) | (startsField ? STARTS_FIELD : 0) | term) >>> 0;
}

export function startsField(entry: number): boolean {
  return (entry & STARTS_FIELD) !== 0;
}

export function fieldOf(entry: number): Field {
  return (entry >>> FIELD_SHIFT) as Field;
}

export function toHeader(popularity: number, shortestName: number, hasBrand: boolean): number {
  return popularity | (shortestName << 8) | (hasBrand ? 1 << 16 : 0);
}

export function popularityIn(header: number): number {
  return header & 0xff;
}

/** Words in the shortest of name and aliases; at least 1. */
export function shortestNameIn(header: number): number {
  return (header >>> 8) & 0xff;
}

export function hasBrandIn(header: number): boolean {
  return (header & (1 << 16)) !== 0;
}

/**
 * Hash table from an exact name or alias, as a sequence of terms, to documents. A bucket may contain other names, so
 * callers compare. Documents ascend in each bucket.
 */
export interface ExactNameSections {
  readonly nameBuckets: Uint32Array;
  readonly nameDocuments: Uint32Array;
}

export function* buildNameTable(documents: DocumentSections): Steps<ExactNameSections> {
  const count = documents.entryStarts.length - 1;
  let names = 0;
  yield* forEachDocument(count, (document) =>
    forEachName(documents, document, () => {
      names++;
    }),
  );
  const nameBuckets = new Uint32Array(bucketCount(names) + 1);
  const mask = nameBuckets.length - 2;
  yield* forEachDocument(count, (document) =>
    forEachName(documents, document, (hash) => {
      nameBuckets[(hash & mask) + 1]!++;
    }),
  );
  for (let bucket = 0; bucket <= mask; bucket++) nameBuckets[bucket + 1]! += nameBuckets[bucket]!;
  const next = nameBuckets.slice();
  const nameDocuments = new Uint32Array(names);
  yield* forEachDocument(count, (document) =>
    forEachName(documents, document, (hash) => {
      nameDocuments[next[hash & mask]!++] = document;
    }),
  );
  return { nameBuckets, nameDocuments };
}

/** Candidate documents with this name. */
export function documentsNamed(sections: ExactNameSections, terms: readonly number[]): Uint32Array {
  let hash = HASH_SEED;
  for (const term of terms) hash = hashStep(hash, term);
  const bucket = hashEnd(hash) & (sections.nameBuckets.length - 2);
  return sections.nameDocuments.subarray(sections.nameBuckets[bucket], sections.nameBuckets[bucket + 1]);
}

function bucketCount(names: number): number {
  let buckets = 16;
  while (buckets * 2 < names) buckets *= 2;
  return buckets;
}

/** Visits the hash of the name and of each alias. */
function forEachName(
  { entries, entryStarts }: DocumentSections,
  document: number,
  visit: (hash: number) => void,
): void {
  let hash = HASH_SEED;
  let isOpen = false;
  const end = entryStarts[document + 1]!;
  for (let at = entryStarts[document]! + 1; at < end; at++) {
    const entry = entries[at]!;
    if (startsField(entry)) {
      if (isOpen) visit(hashEnd(hash));
      hash = HASH_SEED;
      isOpen = fieldOf(entry) === NAME || fieldOf(entry) === ALIAS;
    }
    hash = hashStep(hash, entry & TERM_MASK);
  }
  if (isOpen) visit(hashEnd(hash));
}
