import type { SearchHit } from '@larder/search/match/top-hits.ts';

/** The foods with the highest scores, without repetitions; a short list that insertion keeps in order. */
export class BestFoods {
  readonly #limit: number;
  readonly #foods: number[] = [];
  readonly #scores: number[] = [];
  /** Minimum score; this and lower scores are rejected. */
  worst = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  offer(food: number, score: number): void {
    const last = this.#foods.at(-1);
    const isFull = this.#foods.length === this.#limit;
    // The earlier food wins between equal scores, whichever comes first.
    if (score < this.worst || (score === this.worst && (!isFull || food > last!))) return;
    const known = this.#foods.indexOf(food);
    if (known !== -1) {
      if (this.#scores[known]! >= score) return;
      this.#foods.splice(known, 1);
      this.#scores.splice(known, 1);
    }
    let at = this.#scores.length;
    while (
      at > 0 &&
      (this.#scores[at - 1]! < score || (this.#scores[at - 1] === score && this.#foods[at - 1]! > food))
    )
      at--;
    this.#foods.splice(at, 0, food);
    this.#scores.splice(at, 0, score);
    this.#foods.length = Math.min(this.#foods.length, this.#limit);
    this.#scores.length = this.#foods.length;
    if (this.#scores.length === this.#limit) this.worst = this.#scores[this.#limit - 1]!;
  }

  list(documentOf: (food: number) => number): SearchHit[] {
    return this.#foods.map((food, at) => ({ document: documentOf(food), score: this.#scores[at]! }));
  }
}
