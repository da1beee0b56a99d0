/**
 * Optimal string alignment: insertions, deletions, substitutions and swaps of neighbours, each letter edited once.
 * Keeps its rows, since a query measures hundreds of words.
 */
export class EditDistance {
  #beforeLast = new Uint8Array(0);
  #last = new Uint8Array(0);
  #row = new Uint8Array(0);

  /** The distance, or `limit + 1` as soon as it must be above `limit`. Words have fewer than 255 letters. */
  between(a: ArrayLike<number>, b: ArrayLike<number>, limit: number): number {
    if (Math.abs(a.length - b.length) > limit) return limit + 1;
    this.#makeRoom(b.length + 1);
    for (let j = 0; j <= b.length; j++) this.#last[j] = j;
    for (let i = 1; i <= a.length; i++) {
      if (this.#fillRow(a, b, i, limit) > limit) return limit + 1;
      const free = this.#beforeLast;
      this.#beforeLast = this.#last;
      this.#last = this.#row;
      this.#row = free;
    }
    return Math.min(this.#last[b.length]!, limit + 1);
  }

  /** Only the diagonal band within `limit` can matter. Returns the least value of the row. */
  #fillRow(a: ArrayLike<number>, b: ArrayLike<number>, i: number, limit: number): number {
    const row = this.#row;
    const last = this.#last;
    const from = Math.max(1, i - limit);
    const to = Math.min(b.length, i + limit);
    const letter = a[i - 1]!;
    row[from - 1] = from === 1 ? i : limit + 1;
    let best = row[from - 1]!;
    for (let j = from; j <= to; j++) {
      const above = j === i + limit ? limit + 1 : last[j]!;
      let distance = Math.min(above + 1, row[j - 1]! + 1, last[j - 1]! + (letter === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && letter === b[j - 2] && a[i - 2] === b[j - 1]) {
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
