import { MAX_QUERY_TOKENS } from './query-limits.ts';
import { mostPoints } from './scorer.ts';
import { BLOCK_SHIFT, CLASSES, LENGTH_CLASSES, type StaticBoundSections } from './static-bounds.ts';

/**
 * The most that any document from a block on can earn beyond what its words are worth, without being exactly the
 * name that was typed (such documents are looked up, so that they need not be waited for).
 */
export class StopRule {
  /** `[words asked for - 1][block]` */
  readonly #best: readonly Int16Array[];

  constructor(sections: StaticBoundSections) {
    const blocks = sections.bestPopularity.length / CLASSES;
    this.#best = Array.from({ length: MAX_QUERY_TOKENS }, (_, index) => {
      const asked = index + 1;
      return Int16Array.from({ length: blocks }, (_, block) => bestOfBlock(sections, block, asked));
    });
  }

  bestFrom(document: number, asked: number): number {
    return this.#best[asked - 1]![document >>> BLOCK_SHIFT]!;
  }
}

function bestOfBlock({ bestPopularity }: StaticBoundSections, block: number, asked: number): number {
  let best = 0;
  for (let index = 0; index < CLASSES; index++) {
    const popularity = bestPopularity[block * CLASSES + index]! - 1;
    if (popularity < 0) continue;
    const length = (index % LENGTH_CLASSES) + 1;
    best = Math.max(best, mostPoints(asked, length, popularity, index >= LENGTH_CLASSES));
  }
  return best;
}
