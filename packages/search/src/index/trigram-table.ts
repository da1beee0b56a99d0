import type { Words } from './deletion-table.ts';
import { HASH_SEED, hashEnd, hashStep } from './hash.ts';
import { forEachInSteps, type Steps } from './steps.ts';

/** For each trigram the words that contain it, to find words by an inner part. */
export interface TrigramSections {
  readonly trigramBuckets: Uint32Array;
  /** Terms ascend in each bucket. A bucket may mix trigrams, so callers compare. */
  readonly trigramTerms: Uint32Array;
}

const TRIGRAM = 3;
const MAX_BUCKETS = 1 << 15;

export function* buildTrigramTable(words: Words): Steps<TrigramSections> {
  const buckets = bucketCount(words.size);
  const trigramBuckets = new Uint32Array(buckets + 1);
  yield* forEachTrigram(words, (hash) => {
    trigramBuckets[(hash & (buckets - 1)) + 1]!++;
  });
  for (let bucket = 0; bucket < buckets; bucket++) trigramBuckets[bucket + 1]! += trigramBuckets[bucket]!;
  const next = trigramBuckets.slice();
  const trigramTerms = new Uint32Array(trigramBuckets[buckets]!);
  yield* forEachTrigram(words, (hash, term) => {
    trigramTerms[next[hash & (buckets - 1)]!++] = term;
  });
  return { trigramBuckets, trigramTerms };
}

/** Small vocabularies, such as those of custom foods, get small tables. */
function bucketCount(words: number): number {
  let buckets = 16;
  while (buckets < words && buckets < MAX_BUCKETS) buckets *= 2;
  return buckets;
}

/** Candidate terms that contain the text (at least three letters): those of its rarest trigram. */
export function termsAround(sections: TrigramSections, text: string): Uint32Array {
  let best: Uint32Array | undefined;
  for (let at = 0; at + TRIGRAM <= text.length; at++) {
    const bucket = hashAt(text, at) & (sections.trigramBuckets.length - 2);
    const terms = sections.trigramTerms.subarray(
      sections.trigramBuckets[bucket],
      sections.trigramBuckets[bucket + 1],
    );
    if (best === undefined || terms.length < best.length) best = terms;
  }
  return best ?? new Uint32Array(0);
}

/** Skips the trigram at the beginning of a word, because prefixes are found without this table. */
function forEachTrigram(words: Words, visit: (hash: number, term: number) => void): Steps<void> {
  return forEachInSteps(words.size, (term) => {
    const word = words.word(term);
    for (let at = 1; at + TRIGRAM <= word.length; at++) visit(hashAt(word, at), term);
  });
}

function hashAt(text: string, at: number): number {
  let hash = HASH_SEED;
  for (let index = at; index < at + TRIGRAM; index++) hash = hashStep(hash, text.charCodeAt(index));
  return hashEnd(hash);
}
