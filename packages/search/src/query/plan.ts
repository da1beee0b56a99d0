/** One interpretation of a query: the terms that each word may match, and the cost of this interpretation. */
export interface Plan {
  /** Why this plan was tried, for explanations. */
  readonly reading: string;
  readonly slots: readonly Slot[];
  readonly cost: number;
  /** Maximum total cost of missing words. */
  readonly maxMissingCost: number;
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
  /** The terms without weights, overlapping ranges joined. */
  readonly spans: readonly Span[];
  /** Number of postings of all spans. */
  readonly size: number;
  /** Points lost by a document without the word; infinite if the word is required. */
  readonly missingCost: number;
  /** Whether the word looks like a typo although it exists. */
  readonly isDoubtful: boolean;
}
