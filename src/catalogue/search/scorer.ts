import {
  ALIAS,
  BRAND,
  type DocumentSections,
  fieldOf,
  hasBrandIn,
  NAME,
  popularityIn,
  startsField,
  TERM_MASK,
} from './document-table.ts';
import type { Plan } from './plan.ts';
import {
  ADJACENT,
  ADJACENT_SWAPPED,
  ALIAS_COST,
  BRAND_ONLY_COST,
  COVERAGE,
  EXACT,
  FIRST_WORD,
  GENERIC,
  POPULARITY,
  SAME_NAME,
  WHOLE_NAME,
} from './ranking.ts';

/** The document does not hold the words that the plan asks for. */
export const NO_MATCH = Number.NEGATIVE_INFINITY;

/** What a document earns before any query. */
export function staticPoints(popularity: number, hasBrand: boolean): number {
  return Math.floor((popularity * POPULARITY) / 255) + (hasBrand ? 0 : GENERIC);
}

/** What a name of `length` words earns when `named` of them are named. */
export function coveragePoints(named: number, length: number): number {
  return Math.floor((COVERAGE * named) / length) + (named === length ? WHOLE_NAME : 0);
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
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #weight: number[] = [];
  readonly #slotOf: number[] = [];
  readonly #best: Int32Array;
  // The field that is being walked.
  #length = 0;
  #named = 0;
  #exactInOrder = 0;
  #orderPoints = 0;
  #isFirstNamed = false;
  #lastSlot = -1;

  constructor(ports: { readonly documents: DocumentSections; readonly plan: Plan }) {
    this.#documents = ports.documents;
    this.#plan = ports.plan;
    this.#best = new Int32Array(ports.plan.slots.length);
    for (const [index, slot] of ports.plan.slots.entries()) {
      for (const range of slot.ranges) {
        this.#from.push(range.from);
        this.#to.push(range.to);
        this.#weight.push(range.weight);
        this.#slotOf.push(index);
      }
    }
  }

  score(document: number): number {
    const { entries, entryStarts } = this.#documents;
    const start = entryStarts[document]!;
    const end = entryStarts[document + 1]!;
    const header = entries[start]!;
    this.#best.fill(0);
    let nameFit = -1;
    let field: number = NAME;
    this.#beginField();
    for (let at = start + 1; at < end; at++) {
      const entry = entries[at]!;
      if (startsField(entry)) {
        nameFit = Math.max(nameFit, this.#fieldPoints(field));
        field = fieldOf(entry);
        this.#beginField();
      }
      this.#meet(entry & TERM_MASK);
    }
    nameFit = Math.max(nameFit, this.#fieldPoints(field));
    const words = this.#wordPoints();
    if (words === NO_MATCH) return NO_MATCH;
    const fit = nameFit < 0 ? -BRAND_ONLY_COST : nameFit;
    return words + fit + staticPoints(popularityIn(header), hasBrandIn(header)) - this.#plan.cost;
  }

  #beginField(): void {
    this.#length = 0;
    this.#named = 0;
    this.#exactInOrder = 0;
    this.#orderPoints = 0;
    this.#isFirstNamed = false;
    this.#lastSlot = -1;
  }

  /** Takes one word of the document. */
  #meet(term: number): void {
    let weight = 0;
    let slot = -1;
    for (let range = 0; range < this.#from.length; range++) {
      if (term < this.#from[range]! || term >= this.#to[range]!) continue;
      const owner = this.#slotOf[range]!;
      if (this.#weight[range]! > this.#best[owner]!) this.#best[owner] = this.#weight[range]!;
      if (this.#weight[range]! > weight) {
        weight = this.#weight[range]!;
        slot = owner;
      }
    }
    const position = this.#length++;
    if (slot >= 0) {
      this.#named++;
      if (position === 0) this.#isFirstNamed = true;
      if (weight === EXACT && slot === position) this.#exactInOrder++;
      if (this.#lastSlot >= 0) {
        if (slot === this.#lastSlot + 1) this.#orderPoints += ADJACENT;
        else if (slot === this.#lastSlot - 1) this.#orderPoints += ADJACENT_SWAPPED;
      }
    }
    this.#lastSlot = slot;
  }

  /** How well the walked field fits, or -1 when it holds no word of the query or is no name. */
  #fieldPoints(field: number): number {
    if (this.#named === 0 || field === BRAND) return -1;
    const asked = this.#plan.slots.length;
    const named = Math.min(this.#named, asked);
    let points = coveragePoints(named, this.#length) + Math.min(this.#orderPoints, ADJACENT * (asked - 1));
    if (this.#isFirstNamed) points += FIRST_WORD;
    if (this.#exactInOrder === asked && this.#length === asked && this.#plan.cost === 0) points += SAME_NAME;
    return field === ALIAS ? Math.max(0, points - ALIAS_COST) : points;
  }

  #wordPoints(): number {
    let points = 0;
    let missing = 0;
    for (let slot = 0; slot < this.#best.length; slot++) {
      const weight = this.#best[slot]!;
      if (weight === 0) missing += this.#plan.slots[slot]!.missingCost;
      else points += weight - EXACT;
    }
    return missing > this.#plan.maxMissingCost ? NO_MATCH : points - missing;
  }
}
