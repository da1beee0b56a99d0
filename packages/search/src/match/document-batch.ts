import { NO, type YES } from './term-probe.ts';

const CAPACITY = 1024;

/**
 * A batch of documents in columns. Each step is a plain loop that moves the passing documents to the front. Reused
 * between queries.
 */
export class DocumentBatch {
  readonly capacity = CAPACITY;
  readonly documents = new Uint32Array(CAPACITY);
  /** Upper bound of each document's score. */
  readonly most = new Int32Array(CAPACITY);
  /** Headers from the document table, if fetched. */
  readonly headers = new Uint32Array(CAPACITY);
  /** Result of a probe for each document. */
  readonly holds = new Uint8Array(CAPACITY);
  readonly #misses = new Uint8Array(CAPACITY);
  readonly #missingCost = new Int32Array(CAPACITY);
  count = 0;

  /** Loads the postings `from` to `to` (excluded), at most `capacity`. */
  fill(postings: Uint32Array, from: number, to: number): void {
    const { documents } = this;
    for (let at = from; at < to; at++) documents[at - from] = postings[at]!;
    this.count = to - from;
  }

  /** Sets the number and cost of missing words of every document. */
  startMissing(misses: number, cost: number): void {
    this.#misses.fill(misses, 0, this.count);
    this.#missingCost.fill(cost, 0, this.count);
  }

  /** Drops the documents with this probe result. */
  drop(answer: typeof NO | typeof YES): void {
    const { documents, most, holds } = this;
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      documents[kept] = documents[index]!;
      most[kept] = most[index]!;
      if (holds[index] !== answer) kept++;
    }
    this.count = kept;
  }

  /** Adds the cost of missing words by probe result, and drops documents that miss too many. */
  noteMissing(limits: {
    readonly cost: number;
    readonly loss: number;
    readonly maxCost: number;
    readonly maxMisses: number;
    readonly lowest: number;
  }): void {
    const { documents, most, holds } = this;
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      const isMissing = holds[index] === NO;
      const misses = this.#misses[index]! + (isMissing ? 1 : 0);
      const cost = this.#missingCost[index]! + (isMissing ? limits.cost : 0);
      const best = most[index]! - (isMissing ? limits.loss : 0);
      if (misses > limits.maxMisses || cost > limits.maxCost || best < limits.lowest) continue;
      documents[kept] = documents[index]!;
      most[kept] = best;
      this.#misses[kept] = misses;
      this.#missingCost[kept] = cost;
      kept++;
    }
    this.count = kept;
  }

  /** Keeps the documents that miss exactly this many words. */
  keepMissing(misses: number): void {
    const { documents, most } = this;
    let kept = 0;
    for (let index = 0; index < this.count; index++) {
      if (this.#misses[index] !== misses) continue;
      documents[kept] = documents[index]!;
      most[kept] = most[index]!;
      kept++;
    }
    this.count = kept;
  }
}
