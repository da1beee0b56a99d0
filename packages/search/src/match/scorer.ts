import {
  ALIAS,
  BRAND,
  type DocumentSections,
  type Field,
  fieldOf,
  hasBrandIn,
  popularityIn,
  startsField,
  TERM_MASK,
} from '../index/document-table.ts';
import {
  BLOCK_SHIFT,
  CLASSES,
  hasShapeBrand,
  lengthOfShape,
  type StaticBoundSections,
} from '../index/static-bounds.ts';
import type { Plan } from '../query/plan.ts';
import { MAX_QUERY_TOKENS } from '../query/query-limits.ts';
import {
  ADJACENT,
  ADJACENT_SWAPPED,
  ALIAS_COST,
  BRAND_ONLY_COST,
  COVERAGE,
  EXACT,
  FIRST_WORD,
  GENERIC,
  MISSING_SMALL_WORD,
  POPULARITY,
  SAME_DOUBTFUL_NAME,
  SAME_GENERIC_NAME,
  SAME_NAME,
  WHOLE_NAME,
} from '../query/ranking-weights.ts';
import type { DocumentBatch } from './document-batch.ts';

/** The document lacks a required word. */
export const NO_MATCH = Number.NEGATIVE_INFINITY;
const NO_SLOT = -2;

/** Points that do not depend on the query. */
function staticPoints(popularity: number, hasBrand: boolean): number {
  return Math.floor((popularity * POPULARITY) / 255) + (hasBrand ? 0 : GENERIC);
}

/** Points for a name of `length` words, `named` of them typed. */
function coveragePoints(named: number, length: number): number {
  return Math.floor((COVERAGE * named) / length) + (named === length ? WHOLE_NAME : 0);
}

/** Maximum points of a name of `length` words, without those for an exact name, which is looked up directly. */
function fitPoints(wordCount: number, length: number): number {
  return coveragePoints(Math.min(wordCount, length), length) + FIRST_WORD + ADJACENT * (wordCount - 1);
}

/**
 * Scores one document against one plan. Fields are walked once:
 *
 *     score = what the words met are worth − what missing words cost − the cost of the plan
 *           + the best of name and aliases (coverage, order, first word, sameness)
 *           + popularity, generic before branded
 */
export class Scorer {
  readonly #documents: DocumentSections;
  readonly #plan: Plan;
  readonly #wordCount: number;
  readonly #sameName: number;
  // The ranges of all slots, one slot after another.
  readonly #from: Int32Array;
  readonly #to: Int32Array;
  readonly #weight: Int32Array;
  readonly #slotOf: Int32Array;
  /** The weight of each slot's best match in the document. */
  readonly #met: Int32Array;

  constructor(ports: { readonly documents: DocumentSections; readonly plan: Plan }) {
    const { slots } = ports.plan;
    this.#documents = ports.documents;
    this.#plan = ports.plan;
    this.#wordCount = slots.length;
    let ranges = 0;
    let isDoubtful = false;
    for (const slot of slots) {
      ranges += slot.ranges.length;
      isDoubtful ||= slot.isDoubtful;
    }
    this.#sameName = isDoubtful ? SAME_DOUBTFUL_NAME : SAME_NAME;
    this.#from = new Int32Array(ranges);
    this.#to = new Int32Array(ranges);
    this.#weight = new Int32Array(ranges);
    this.#slotOf = new Int32Array(ranges);
    let range = 0;
    for (let slot = 0; slot < slots.length; slot++) {
      for (const { from, to, weight } of slots[slot]!.ranges) {
        this.#from[range] = from;
        this.#to[range] = to;
        this.#weight[range] = weight;
        this.#slotOf[range++] = slot;
      }
    }
    this.#met = new Int32Array(this.#wordCount);
  }

  /**
   * Prefetches document headers. These independent reads overlap, unlike reads within a document, and bring the
   * documents into the processor's cache.
   */
  fetch(documents: Uint32Array, from: number, to: number, headers: Uint32Array): void {
    const { entries, entryStarts } = this.#documents;
    for (let index = from; index < to; index++) headers[index] = entries[entryStarts[documents[index]!]!]!;
  }

  /** Number of words with aliases; scoring takes time in proportion. */
  wordsOf(document: number): number {
    const { entryStarts } = this.#documents;
    return entryStarts[document + 1]! - entryStarts[document]!;
  }

  score(document: number): number {
    const { entries, entryStarts } = this.#documents;
    const start = entryStarts[document]!;
    const end = entryStarts[document + 1]!;
    this.#met.fill(0);
    const header = entries[start]!;
    const sameName = hasBrandIn(header) ? this.#sameName : this.#sameName + SAME_GENERIC_NAME;
    let fit = -BRAND_ONLY_COST;
    for (let fieldStart = start + 1; fieldStart < end; ) {
      let fieldEnd = fieldStart + 1;
      while (fieldEnd < end && !startsField(entries[fieldEnd]!)) fieldEnd++;
      fit = Math.max(fit, this.#walkField(fieldStart, fieldEnd, fieldOf(entries[fieldStart]!), sameName));
      fieldStart = fieldEnd;
    }
    const words = this.#wordPoints();
    if (words === NO_MATCH) return NO_MATCH;
    return words + fit + staticPoints(popularityIn(header), hasBrandIn(header)) - this.#plan.cost;
  }

  /**
   * Records which slots match the field. Returns its points as a name, or `-BRAND_ONLY_COST` for a brand or no match.
   */
  #walkField(start: number, end: number, field: Field, sameName: number): number {
    const { entries } = this.#documents;
    let namesOf = 0;
    let exactInOrder = 0;
    let orderPoints = 0;
    let named = 0;
    let isFirstNamed = false;
    let lastSlot = NO_SLOT;
    for (let at = start; at < end; at++) {
      const range = this.#meet(entries[at]! & TERM_MASK, namesOf);
      if (range < 0) {
        lastSlot = NO_SLOT;
        continue;
      }
      const slot = this.#slotOf[range]!;
      if ((namesOf & (1 << slot)) === 0) named++;
      namesOf |= 1 << slot;
      if (at === start) isFirstNamed = true;
      if (slot === at - start && this.#weight[range] === EXACT) exactInOrder++;
      if (slot === lastSlot + 1 && lastSlot >= 0) orderPoints += ADJACENT;
      else if (slot === lastSlot - 1) orderPoints += ADJACENT_SWAPPED;
      lastSlot = slot;
    }
    if (namesOf === 0 || field === BRAND) return -BRAND_ONLY_COST;
    const length = end - start;
    const wordCount = this.#wordCount;
    let points = coveragePoints(named, length) + Math.min(orderPoints, ADJACENT * (named - 1));
    if (isFirstNamed) points += FIRST_WORD;
    if (exactInOrder === wordCount && length === wordCount && this.#plan.cost === 0) {
      points += field === ALIAS ? this.#sameName : sameName;
    }
    return field === ALIAS ? Math.max(0, points - ALIAS_COST) : points;
  }

  /**
   * The best range that contains a word of the document, or -1. Of equal ones, the first whose slot is not in
   * `named`, because a repeated word has two slots.
   */
  #meet(term: number, named: number): number {
    const from = this.#from;
    const to = this.#to;
    const met = this.#met;
    let best = -1;
    let bestWeight = 0;
    let isBestNamed = false;
    for (let range = 0; range < from.length; range++) {
      if (term < from[range]! || term >= to[range]!) continue;
      const weight = this.#weight[range]!;
      const slot = this.#slotOf[range]!;
      if (weight > met[slot]!) met[slot] = weight;
      if (weight < bestWeight) continue;
      const isNamed = (named & (1 << slot)) !== 0;
      if (weight === bestWeight && (isNamed || !isBestNamed)) continue;
      best = range;
      bestWeight = weight;
      isBestNamed = isNamed;
    }
    return best;
  }

  #wordPoints(): number {
    const { slots, maxMissingCost } = this.#plan;
    let points = 0;
    let missing = 0;
    let hasContent = false;
    for (let slot = 0; slot < this.#wordCount; slot++) {
      const weight = this.#met[slot]!;
      if (weight === 0) missing += slots[slot]!.missingCost;
      else {
        points += weight - EXACT;
        hasContent ||= slots[slot]!.missingCost !== MISSING_SMALL_WORD;
      }
    }
    return missing > maxMissingCost || !hasContent ? NO_MATCH : points - missing;
  }
}

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

/** One bound for each number of words: `[words - 1]`. */
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

/** The loops are plain, because they run at start over millions of values. */
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
