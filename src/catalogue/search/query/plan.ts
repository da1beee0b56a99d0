import type { Slot } from './slot.ts';

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
