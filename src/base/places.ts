/**
 * Counts what is under way at the same time, and refuses what is more than its limits allow: one of everything, and one of each group
 * that a holder belongs to.
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

  /** Takes a place, to be called when it is free again; undefined where there is none. Groups have different names. */
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
