import { type DocumentSections, hasBrandIn, popularityIn, shortestNameIn } from './document-table.ts';

/**
 * What the best document from here on can be, whatever the query: for each block of documents and each class of
 * documents (shortest name or alias × branded or not) the highest popularity in this block or behind it. Ranking
 * derives from it when it may stop. Right for any order of documents, tight when they come best first.
 */
export interface StaticBoundSections {
  /** `blocks × CLASSES` values: popularity + 1, or 0 where no such document follows. */
  readonly bestPopularity: Uint16Array;
}

export const BLOCK_SHIFT = 8;
/** Names of this many words and more are one class. */
export const LENGTH_CLASSES = 8;
export const CLASSES = LENGTH_CLASSES * 2;

export function buildStaticBounds(documents: DocumentSections): StaticBoundSections {
  const { entries, entryStarts } = documents;
  const count = entryStarts.length - 1;
  const blocks = blockCount(count);
  const bestPopularity = new Uint16Array(blocks * CLASSES);
  const best = new Uint16Array(CLASSES);
  for (let document = count - 1; document >= 0; document--) {
    const header = entries[entryStarts[document]!]!;
    const length = Math.min(shortestNameIn(header), LENGTH_CLASSES);
    const index = length - 1 + (hasBrandIn(header) ? LENGTH_CLASSES : 0);
    best[index] = Math.max(best[index]!, popularityIn(header) + 1);
    const isFirstOfBlock = (document & ((1 << BLOCK_SHIFT) - 1)) === 0;
    if (isFirstOfBlock) bestPopularity.set(best, (document >>> BLOCK_SHIFT) * CLASSES);
  }
  return { bestPopularity };
}

function blockCount(documents: number): number {
  return Math.max(1, (documents + (1 << BLOCK_SHIFT) - 1) >>> BLOCK_SHIFT);
}
