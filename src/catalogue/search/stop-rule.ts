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

  constructor(sections: StaticBoundSections) {
    const blocks = Array.from({ length: sections.bestPopularity.length / CLASSES }, (_, block) =>
      sections.bestPopularity.subarray(block * CLASSES, (block + 1) * CLASSES),
    );
    const asked = Array.from({ length: MAX_QUERY_TOKENS }, (_, index) => index + 1);
    this.#shapes = sections.shapes;
    this.#popularity = Int16Array.from(blocks, (best) =>
      staticPoints(Math.max(0, Math.max(...best) - 1), true),
    );
    this.#ofShape = asked.map((count) =>
      Int16Array.from({ length: CLASSES }, (_, shape) => shapePoints(count, shape)),
    );
    this.#fromBlock = this.#ofShape.map((ofShape) =>
      Int16Array.from(blocks, (best) => bestOf(best, ofShape)),
    );
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

function shapePoints(asked: number, shape: number): number {
  return fitPoints(asked, lengthOfShape(shape)) + staticPoints(0, hasShapeBrand(shape));
}

function bestOf(popularities: Uint16Array, ofShape: Int16Array): number {
  let best = 0;
  for (let shape = 0; shape < CLASSES; shape++) {
    const popularity = popularities[shape]! - 1;
    if (popularity >= 0) best = Math.max(best, ofShape[shape]! + staticPoints(popularity, true));
  }
  return best;
}
