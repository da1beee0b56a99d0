import type { DeletionSections } from './deletion-table.ts';
import type { DictionarySections } from './dictionary.ts';
import type { DocumentSections, ExactNameSections } from './document-table.ts';
import type { BitmapSections, PostingSections } from './posting-lists.ts';
import type { StaticBoundSections } from './static-bounds.ts';
import type { TrigramSections } from './trigram-table.ts';

export type SectionArray = Uint8Array | Uint16Array | Uint32Array;

/** The index as named arrays: stored in a catalogue, and read in place by `SearchIndex.open`. */
export type SearchSections = Readonly<Record<string, SectionArray>>;

/** The sections of the index by name. */
export type IndexSections = DictionarySections &
  DocumentSections &
  PostingSections &
  BitmapSections &
  StaticBoundSections &
  ExactNameSections &
  DeletionSections &
  TrigramSections;

const WORD_SECTIONS: Readonly<Record<keyof IndexSections, 1 | 2 | 4>> = {
  termText: 2,
  termStarts: 4,
  termLetters: 4,
  entries: 4,
  entryStarts: 4,
  postings: 4,
  postingStarts: 4,
  heads: 4,
  blockHeads: 4,
  bitmapRanges: 4,
  bitmaps: 4,
  bestPopularity: 2,
  shapes: 1,
  nameBuckets: 4,
  nameDocuments: 4,
  deletionBuckets: 4,
  deletionTerms: 4,
  trigramBuckets: 4,
  trigramTerms: 4,
};

/** Checks that every section exists with the right element width. Throws a RangeError that names the wrong one. */
export function toIndexSections(sections: SearchSections): IndexSections {
  for (const [name, bytes] of Object.entries(WORD_SECTIONS)) {
    const section = sections[name];
    if (section?.BYTES_PER_ELEMENT !== bytes) {
      throw new RangeError(`search index: section "${name}" is missing or not of ${bytes}-byte numbers`);
    }
  }
  return sections as unknown as IndexSections;
}
