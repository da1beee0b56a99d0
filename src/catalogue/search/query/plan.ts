/** One interpretation of a query: the terms that each word may match, and the cost of this interpretation. */
export interface Plan {
  /** Why this plan was tried, for explanations. */
  readonly reading: string;
  readonly slots: readonly Slot[];
  readonly cost: number;
  /** Maximum total cost of missing words. */
  readonly maxMissingCost: number;
}

/** A plan that requires every word. */
export function strictPlan(reading: string, slots: readonly Slot[], cost: number): Plan {
  return { reading, slots, cost, maxMissingCost: 0 };
}

/** Terms `from` to `to` (excluded) that match a typed word with this weight. */
export interface WeightedRange {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** All terms that may match one typed word: disjoint ranges, best weight first. */
export interface Slot {
  readonly token: string;
  readonly ranges: readonly WeightedRange[];
  /** The same terms without weights, overlapping ranges joined. */
  readonly spans: readonly Span[];
  /** Number of postings of all spans. */
  readonly size: number;
  /** Points lost by a document without the word; infinite if the word is required. */
  readonly missingCost: number;
  /** Whether the word looks like a typo although it exists. */
  readonly isDoubtful: boolean;
}

/** Collects the ranges of a slot. Each term counts once, with its best weight. */
export class SlotRanges {
  readonly #ranges: WeightedRange[] = [];

  add(from: number, to: number, weight: number): void {
    if (from < to) this.#ranges.push({ from, to, weight });
  }

  addTerm(term: number, weight: number): void {
    this.add(term, term + 1, weight);
  }

  get isEmpty(): boolean {
    return this.#ranges.length === 0;
  }

  /** Joins overlapping ranges. Adjacent ranges stay separate, so that the range of a prefix stays recognisable. */
  spans(): Span[] {
    const spans: { from: number; to: number }[] = [];
    for (const { from, to } of this.#ranges.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
      const last = spans.at(-1);
      if (last === undefined || from >= last.to) spans.push({ from, to });
      else last.to = Math.max(last.to, to);
    }
    return spans;
  }

  /** Best weight first; ranges of lower weight keep only what no better range covers. */
  disjoint(): WeightedRange[] {
    const result: WeightedRange[] = [];
    for (const range of this.#ranges.toSorted((a, b) => b.weight - a.weight || a.from - b.from)) {
      let pieces = [range];
      for (const taken of result) pieces = pieces.flatMap((piece) => without(piece, taken));
      result.push(...pieces);
    }
    return result;
  }
}

function without(range: WeightedRange, taken: WeightedRange): WeightedRange[] {
  if (taken.to <= range.from || taken.from >= range.to) return [range];
  return [
    { ...range, to: Math.min(range.to, taken.from) },
    { ...range, from: Math.max(range.from, taken.to) },
  ].filter((piece) => piece.from < piece.to);
}
