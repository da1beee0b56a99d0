import type { Words } from './deletion-table.ts';
import { HASH_SEED, hashEnd, hashStep } from './hash.ts';

/** For every three letters in a row the words that hold them: finds words by what lies inside them. */
export interface TrigramSections {
  readonly trigramBuckets: Uint32Array;
  /** Terms ascending in each bucket; a bucket can mix trigrams, so whoever asks compares. */
  readonly trigramTerms: Uint32Array;
}

const TRIGRAM = 3;
const BUCKETS = 1 << 15;

export function buildTrigramTable(words: Words): TrigramSections {
  const trigramBuckets = new Uint32Array(BUCKETS + 1);
  forEachTrigram(words, (bucket) => {
    trigramBuckets[bucket + 1]!++;
  });
  for (let bucket = 0; bucket < BUCKETS; bucket++) trigramBuckets[bucket + 1]! += trigramBuckets[bucket]!;
  const next = trigramBuckets.slice();
  const trigramTerms = new Uint32Array(trigramBuckets[BUCKETS]!);
  forEachTrigram(words, (bucket, term) => {
    trigramTerms[next[bucket]!++] = term;
  });
  return { trigramBuckets, trigramTerms };
}

/** The terms that may hold the text, which has at least three letters: those of its rarest trigram. */
export function termsAround(sections: TrigramSections, text: string): Uint32Array {
  let best: Uint32Array | undefined;
  for (let at = 0; at + TRIGRAM <= text.length; at++) {
    const bucket = bucketAt(text, at);
    const terms = sections.trigramTerms.subarray(
      sections.trigramBuckets[bucket],
      sections.trigramBuckets[bucket + 1],
    );
    if (best === undefined || terms.length < best.length) best = terms;
  }
  return best ?? new Uint32Array(0);
}

/** The beginning of a word is left out: words are found by it already. */
function forEachTrigram(words: Words, visit: (bucket: number, term: number) => void): void {
  for (let term = 0; term < words.size; term++) {
    const word = words.word(term);
    for (let at = 1; at + TRIGRAM <= word.length; at++) visit(bucketAt(word, at), term);
  }
}

function bucketAt(text: string, at: number): number {
  let hash = HASH_SEED;
  for (let index = at; index < at + TRIGRAM; index++) hash = hashStep(hash, text.charCodeAt(index));
  return hashEnd(hash) & (BUCKETS - 1);
}
