/** Terms `from` to `to` (excluded) that meet a typed word, each worth `weight`. */
export interface WeightedRange {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** One typed word as everything that may meet it: ranges that share no term, best weight first. */
export interface Slot {
  readonly token: string;
  readonly ranges: readonly WeightedRange[];
  /** The same terms without weights: what overlaps is one. */
  readonly spans: readonly Span[];
  /** Postings of all spans. */
  readonly size: number;
  /** What a document loses that does not hold the word; infinite when it must. */
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

  /** What overlaps becomes one; what only touches stays apart, so that a beginning of words stays recognisable. */
  spans(): Span[] {
    const spans: { from: number; to: number }[] = [];
    for (const { from, to } of this.#ranges.toSorted((a, b) => a.from - b.from || b.to - a.to)) {
      const last = spans.at(-1);
      if (last === undefined || from >= last.to) spans.push({ from, to });
      else last.to = Math.max(last.to, to);
    }
    return spans;
  }

  /** Best weight first; of lower ranges only what no higher one covers. */
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
