/**
 * Counts concurrent activities, or what they hold such as bytes, and rejects what exceeds the limits: one limit for all,
 * and one for each group that a holder belongs to.
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

  /** Takes places; returns a function that frees them, or undefined if too few are free. Groups have different names. */
  take(groups: readonly string[], count = 1): (() => void) | undefined {
    const isFull = groups.some((group, at) => (this.#taken.get(group) ?? 0) + count > this.#each[at]!);
    if (isFull || this.#count + count > this.#all) return undefined;
    this.#add(groups, count);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(groups, -count);
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
