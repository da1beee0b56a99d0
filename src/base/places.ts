/**
 * Counts concurrent activities, and rejects those beyond the limits: one limit for all, and one for each
 * group that a holder belongs to.
 */
export class Places {
  readonly #all: number;
  readonly #each: readonly number[];
  readonly #taken = new Map<string, number>();
  #count = 0;

  /** `each`: the limit of the groups at each position of `take`. */
  constructor({ all, each }: { readonly all: number; readonly each: readonly number[] }) {
    this.#all = all;
    this.#each = each;
  }

  /** Takes a place; returns a function that frees it, or undefined if none is free. Groups have different names. */
  take(groups: readonly string[]): (() => void) | undefined {
    const isFull = groups.some((group, at) => (this.#taken.get(group) ?? 0) >= this.#each[at]!);
    if (isFull || this.#count >= this.#all) return undefined;
    this.#add(groups, 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(groups, -1);
      isTaken = false;
    };
  }

  #add(groups: readonly string[], by: number): void {
    this.#count += by;
    for (const group of groups) {
      const count = (this.#taken.get(group) ?? 0) + by;
      if (count === 0) this.#taken.delete(group);
      else this.#taken.set(group, count);
    }
  }
}
