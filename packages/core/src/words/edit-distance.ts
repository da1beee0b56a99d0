/** A word as UTF-16 code units, in place. */
export interface Letters {
  readonly letters: Uint16Array;
  readonly start: number;
  readonly length: number;
}

/**
 * Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, each letter edited once.
 * Reuses its rows, because a query measures hundreds of words.
 */
export class EditDistance {
  #beforeLast = new Uint8Array(0);
  #last = new Uint8Array(0);
  #row = new Uint8Array(0);

  /**
   * The distance between two words, or `limit + 1` if it exceeds `limit`. Words have fewer than 255 letters. Common
   * prefixes and suffixes are skipped.
   */
  between(first: Letters, second: Letters, limit: number): number {
    if (Math.abs(first.length - second.length) > limit) return limit + 1;
    const { letters: a } = first;
    const { letters: b } = second;
    let aFrom = first.start;
    let bFrom = second.start;
    let aTo = aFrom + first.length;
    let bTo = bFrom + second.length;
    while (aFrom < aTo && bFrom < bTo && a[aFrom] === b[bFrom]) {
      aFrom++;
      bFrom++;
    }
    while (aFrom < aTo && bFrom < bTo && a[aTo - 1] === b[bTo - 1]) {
      aTo--;
      bTo--;
    }
    const aLength = aTo - aFrom;
    const bLength = bTo - bFrom;
    if (aLength === 0 || bLength === 0) return aLength + bLength;
    // The rest begins and ends with different letters, so within one edit only one replaced letter or a swap
    // is possible.
    if (limit === 1) {
      if (aLength === 1 && bLength === 1) return 1;
      const isSwap = aLength === 2 && bLength === 2 && a[aFrom] === b[bFrom + 1] && a[aFrom + 1] === b[bFrom];
      return isSwap ? 1 : 2;
    }
    this.#makeRoom(bLength + 1);
    for (let j = 0; j <= bLength; j++) this.#last[j] = j;
    for (let i = 1; i <= aLength; i++) {
      if (this.#fillRow(a, aFrom, b, bFrom, bLength, i, limit) > limit) return limit + 1;
      const free = this.#beforeLast;
      this.#beforeLast = this.#last;
      this.#last = this.#row;
      this.#row = free;
    }
    return Math.min(this.#last[bLength]!, limit + 1);
  }

  /** Fills the diagonal band within `limit`. Returns the row's minimum. */
  #fillRow(
    a: Uint16Array,
    aFrom: number,
    b: Uint16Array,
    bFrom: number,
    bLength: number,
    i: number,
    limit: number,
  ): number {
    const row = this.#row;
    const last = this.#last;
    const from = Math.max(1, i - limit);
    const to = Math.min(bLength, i + limit);
    const letter = a[aFrom + i - 1]!;
    row[from - 1] = from === 1 ? i : limit + 1;
    let best = row[from - 1]!;
    for (let j = from; j <= to; j++) {
      const above = j === i + limit ? limit + 1 : last[j]!;
      let distance = Math.min(
        above + 1,
        row[j - 1]! + 1,
        last[j - 1]! + (letter === b[bFrom + j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && letter === b[bFrom + j - 2] && a[aFrom + i - 2] === b[bFrom + j - 1]) {
        distance = Math.min(distance, this.#beforeLast[j - 2]! + 1);
      }
      row[j] = distance;
      if (distance < best) best = distance;
    }
    return best;
  }

  #makeRoom(width: number): void {
    if (this.#row.length >= width) return;
    this.#beforeLast = new Uint8Array(width);
    this.#last = new Uint8Array(width);
    this.#row = new Uint8Array(width);
  }
}
