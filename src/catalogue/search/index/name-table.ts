import { ALIAS, type DocumentSections, fieldOf, NAME, startsField, TERM_MASK } from './document-table.ts';
import { HASH_SEED, hashEnd, hashStep } from './int32.ts';
import { forEachDocument, type Steps } from './steps.ts';

/**
 * Hash table from an exact name or alias, as a sequence of terms, to documents. A bucket may contain other names, so
 * callers compare. Documents ascend in each bucket.
 */
export interface NameSections {
  readonly nameBuckets: Uint32Array;
  readonly nameDocuments: Uint32Array;
}

export function* buildNameTable(documents: DocumentSections): Steps<NameSections> {
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
export function documentsNamed(sections: NameSections, terms: readonly number[]): Uint32Array {
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
