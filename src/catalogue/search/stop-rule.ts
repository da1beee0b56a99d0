import { MAX_QUERY_TOKENS } from './query-limits.ts';
import { fitPoints, staticPoints } from './scorer.ts';
import {
  BLOCK_SHIFT,
  CLASSES,
  hasShapeBrand,
  lengthOfShape,
  type StaticBoundSections,
} from './static-bounds.ts';

/**
 * The most that documents can earn beyond what their words are worth, without being exactly the name that was typed:
 * such documents are looked up, so that they need not be waited for.
 */
export class StopRule {
  readonly #shapes: Uint8Array;
  /** The highest popularity points from each block on. */
  readonly #popularity: Int16Array;
  /** `[words asked for - 1][block]`: the most from each block on. */
  readonly #fromBlock: readonly Int16Array[];
  /** `[words asked for - 1][shape]`: the most for a document of a shape, popularity left out. */
  readonly #ofShape: readonly Int16Array[];

  constructor({ bestPopularity, shapes }: StaticBoundSections) {
    const blocks = bestPopularity.length / CLASSES;
    this.#shapes = shapes;
    this.#ofShape = Array.from({ length: MAX_QUERY_TOKENS }, (_, index) =>
      Int16Array.from({ length: CLASSES }, (_, shape) => shapePoints(index + 1, shape)),
    );
    this.#fromBlock = this.#ofShape.map((ofShape) => bestFromBlocks(bestPopularity, ofShape, blocks));
    this.#popularity = bestFromBlocks(bestPopularity, new Int16Array(CLASSES), blocks);
  }

  /** For any document from this one on. */
  bestFrom(document: number, asked: number): number {
    return this.#fromBlock[asked - 1]![document >>> BLOCK_SHIFT]!;
  }

  /** For this document. */
  mostOf(document: number, asked: number): number {
    return this.#ofShape[asked - 1]![this.#shapes[document]!]! + this.#popularity[document >>> BLOCK_SHIFT]!;
  }
}

const POPULARITY_POINTS = Int16Array.from({ length: 256 }, (_, popularity) => staticPoints(popularity, true));

function shapePoints(asked: number, shape: number): number {
  return fitPoints(asked, lengthOfShape(shape)) + staticPoints(0, hasShapeBrand(shape));
}

/** Plain loops: this runs when a service starts, over millions of values. */
function bestFromBlocks(bestPopularity: Uint16Array, ofShape: Int16Array, blocks: number): Int16Array {
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
