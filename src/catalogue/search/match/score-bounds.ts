import {
  BLOCK_SHIFT,
  CLASSES,
  hasShapeBrand,
  lengthOfShape,
  type StaticBoundSections,
} from '../index/static-bounds.ts';
import { MAX_QUERY_TOKENS } from '../query/query-limits.ts';
import type { DocumentBatch } from './document-batch.ts';
import { fitPoints, staticPoints } from './scorer.ts';

/**
 * Upper bounds of a document's points besides those of its words, for a given number of typed words. They exclude the
 * reward for an exact name, because such documents are looked up directly.
 */
export class Bound {
  readonly #shapes: Uint8Array;
  readonly #ofShape: Int16Array;
  readonly #popularity: Int16Array;
  readonly #fromBlock: Int16Array;

  constructor(ports: {
    readonly shapes: Uint8Array;
    /** Maximum for each shape, without popularity. */
    readonly ofShape: Int16Array;
    /** Maximum popularity points from each block on. */
    readonly popularity: Int16Array;
    /** Maximum points from each block on. */
    readonly fromBlock: Int16Array;
  }) {
    this.#shapes = ports.shapes;
    this.#ofShape = ports.ofShape;
    this.#popularity = ports.popularity;
    this.#fromBlock = ports.fromBlock;
  }

  /** Bound for any document from this one on. */
  bestFrom(document: number): number {
    return this.#fromBlock[document >>> BLOCK_SHIFT]!;
  }

  /** Keeps the documents of the batch that can reach `lowest` if their words score `mostForWords`, and notes their bounds. */
  keepPromising(batch: DocumentBatch, mostForWords: number, lowest: number): void {
    const { documents, most, count } = batch;
    const shapes = this.#shapes;
    const ofShape = this.#ofShape;
    const popularity = this.#popularity;
    let kept = 0;
    for (let at = 0; at < count; at++) {
      const document = documents[at]!;
      const score = mostForWords + ofShape[shapes[document]!]! + popularity[document >>> BLOCK_SHIFT]!;
      documents[kept] = document;
      most[kept] = score;
      if (score >= lowest) kept++;
    }
    batch.count = kept;
  }
}

/** A bound for each number of words: `[words - 1]`. */
export function toBounds({ bestPopularity, shapes }: StaticBoundSections): readonly Bound[] {
  const popularity = bestFromBlocks(bestPopularity, new Int16Array(CLASSES));
  return Array.from({ length: MAX_QUERY_TOKENS }, (_, index) => {
    const ofShape = Int16Array.from({ length: CLASSES }, (_, shape) => shapePoints(index + 1, shape));
    return new Bound({ shapes, ofShape, popularity, fromBlock: bestFromBlocks(bestPopularity, ofShape) });
  });
}

const POPULARITY_POINTS = Int16Array.from({ length: 256 }, (_, popularity) => staticPoints(popularity, true));

function shapePoints(wordCount: number, shape: number): number {
  return fitPoints(wordCount, lengthOfShape(shape)) + staticPoints(0, hasShapeBrand(shape));
}

/** Plain loops, because this runs at start over millions of values. */
function bestFromBlocks(bestPopularity: Uint16Array, ofShape: Int16Array): Int16Array {
  const blocks = bestPopularity.length / CLASSES;
  const best = new Int16Array(blocks);
  for (let block = 0; block < blocks; block++) {
    let most = 0;
    for (let shape = 0; shape < CLASSES; shape++) {
      const popularity = bestPopularity[block * CLASSES + shape]!;
      if (popularity === 0) continue;
      const points = ofShape[shape]! + POPULARITY_POINTS[popularity - 1]!;
      if (points > most) most = points;
    }
    best[block] = most;
  }
  return best;
}
