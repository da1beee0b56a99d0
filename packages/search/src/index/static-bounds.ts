import { type DocumentSections, hasBrandIn, popularityIn, shortestNameIn } from './document-table.ts';

/**
 * Query-independent bounds, used to stop a search: for each block and each class of documents (length of the shortest
 * name or alias × branded or not), the highest popularity in this block or any later one. Correct for any document
 * order, tight if the best come first.
 */
export interface StaticBoundSections {
  /** `blocks × CLASSES` values: popularity + 1, or 0 if no such document follows. */
  readonly bestPopularity: Uint16Array;
  /** The shape of every document in one byte, small enough for the processor's cache. */
  readonly shapes: Uint8Array;
}

export const BLOCK_SHIFT = 8;
/** Names with this many words or more are one class. */
const LENGTH_CLASSES = 16;
export const CLASSES = LENGTH_CLASSES * 2;

/** Length class and brand of a document as one number. */
function shapeOf(header: number): number {
  const length = Math.min(shortestNameIn(header), LENGTH_CLASSES);
  return length - 1 + (hasBrandIn(header) ? LENGTH_CLASSES : 0);
}

/** Words in the shortest name of this shape. In the last class names may be longer. */
export function lengthOfShape(shape: number): number {
  return (shape % LENGTH_CLASSES) + 1;
}

export function hasShapeBrand(shape: number): boolean {
  return shape >= LENGTH_CLASSES;
}

export function buildStaticBounds(documents: DocumentSections): StaticBoundSections {
  const { entries, entryStarts } = documents;
  const count = entryStarts.length - 1;
  const bestPopularity = new Uint16Array(
    Math.max(1, (count + (1 << BLOCK_SHIFT) - 1) >>> BLOCK_SHIFT) * CLASSES,
  );
  const shapes = new Uint8Array(count);
  const best = new Uint16Array(CLASSES);
  for (let document = count - 1; document >= 0; document--) {
    const header = entries[entryStarts[document]!]!;
    const shape = shapeOf(header);
    shapes[document] = shape;
    best[shape] = Math.max(best[shape]!, popularityIn(header) + 1);
    const isFirstOfBlock = (document & ((1 << BLOCK_SHIFT) - 1)) === 0;
    if (isFirstOfBlock) bestPopularity.set(best, (document >>> BLOCK_SHIFT) * CLASSES);
  }
  return { bestPopularity, shapes };
}
