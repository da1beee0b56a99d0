import { BRAND, type DocumentSections, fieldOf, NAME, TERM_MASK } from '../index/document-table.ts';
import { HASH_SEED, hashEnd, hashStep } from '../index/hash.ts';
import type { Identity } from './top-hits.ts';

/** What a document is shown as. Names that differ in case, accents and signs alone are the same. */
export function identityOf({ entries, entryStarts }: DocumentSections, document: number): Identity {
  let name = HASH_SEED;
  let brand = HASH_SEED;
  const end = entryStarts[document + 1]!;
  for (let at = entryStarts[document]! + 1; at < end; at++) {
    const entry = entries[at]!;
    const field = fieldOf(entry);
    if (field === NAME) name = hashStep(name, entry & TERM_MASK);
    else if (field === BRAND) brand = hashStep(brand, entry & TERM_MASK);
    else break;
  }
  return { name: hashEnd(name), nameAndBrand: hashEnd(hashStep(name, brand)) };
}
