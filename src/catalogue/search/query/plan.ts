/** One reading of a query: what each of its words may be, and what choosing this reading costs. */
export interface Plan {
  /** Why this plan was tried, for explanations. */
  readonly reading: string;
  readonly slots: readonly Slot[];
  readonly cost: number;
  /** The most that missing words may cost together. */
  readonly maxMissingCost: number;
}

/** A plan whose every word must be met. */
export function strictPlan(reading: string, slots: readonly Slot[], cost: number): Plan {
  return { reading, slots, cost, maxMissingCost: 0 };
}

/** Terms `from` to `to` (excluded) that match a typed word, each worth `weight`. */
export interface WeightedRange {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** Everything that may match one typed word: disjoint ranges of terms, best weight first. */
export interface Slot {
  readonly token: string;
  readonly ranges: readonly WeightedRange[];
  /** The same terms without weights, overlapping ranges joined. */
  readonly spans: readonly Span[];
  /** Postings of all spans. */
  readonly size: number;
  /** Points that a document without the word loses; infinite when it must have the word. */
  readonly missingCost: number;
  /** Whether the word looks like a slip although it exists. */
  readonly isDoubtful: boolean;
}

/** Collects the ranges of a slot. A term counts once, with the best weight it is given. */
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

  /** Joins overlapping ranges. Ranges that merely touch stay apart, so that a beginning of words stays recognisable. */
  spans(): Span[] {
    const spans: { from: number; to: number }[] = [];
    for (const { from, to } of this.#ranges.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
      const last = spans.at(-1);
      if (last === undefined || from >= last.to) spans.push({ from, to });
      else last.to = Math.max(last.to, to);
    }
    return spans;
  }

  /** Best weight first; ranges of lower weight are reduced to what no better one covers. */
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
