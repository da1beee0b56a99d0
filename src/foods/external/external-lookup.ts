import type { Food } from '@larder/core/food.ts';
import { type Gtin, hasValidCheckDigit } from '@larder/core/gtin.ts';
import { LRUCache } from 'lru-cache';
import { normalise } from '../import/normalise/normalise.ts';
import type { RawFood } from '../import/normalise/raw-food.ts';
import type { CircuitBreaker } from './circuit-breaker.ts';

/** Time for which an unknown product is not looked up again; by then somebody may have entered it. */
const UNKNOWN_FOR_MS = 24 * 60 * 60 * 1000;
const MAX_UNKNOWN = 100_000;
/** Maximum look-ups on one API thread that wait for an external answer. */
const MAX_UNDER_WAY = 100;
/** Maximum look-ups that one tenant may have started, so that it leaves room for others. */
const MAX_UNDER_WAY_PER_TENANT = MAX_UNDER_WAY / 10;

/** No service knows a complete product of this number. */
const UNKNOWN = 'unknown';
/** A service failed, or too many look-ups wait, so the result is unknown. */
const UNANSWERED = 'unanswered';
type Answer = Food | typeof UNKNOWN | typeof UNANSWERED;

export interface ExternalLookupOptions {
  /** Services in the order in which they are asked. */
  readonly sources: readonly CircuitBreaker[];
  /** Stores the food, so that it is found from now on. */
  readonly keep: (food: Food) => Promise<void>;
  readonly nowMs: () => number;
  /** Called with every answer, for logs and metrics. */
  readonly onAnswer: (source: string, outcome: 'found' | 'unknown' | 'failed', reason?: string) => void;
}

/** Asks external services for products that the catalogue lacks; found products become foods. */
export class ExternalLookup {
  readonly #options: ExternalLookupOptions;
  readonly #unknown: LRUCache<Gtin, true>;
  readonly #underWay = new Map<Gtin, Promise<Answer>>();
  /** Number of running look-ups by tenant; tenants without any are not listed. */
  readonly #started = new Map<string, number>();

  constructor(options: ExternalLookupOptions) {
    this.#options = options;
    this.#unknown = new LRUCache({
      max: MAX_UNKNOWN,
      ttl: UNKNOWN_FOR_MS,
      perf: { now: options.nowMs },
      ttlResolution: 0,
    });
  }

  /**
   * A food for the first of these numbers that a service knows completely, else undefined. Never throws for a
   * failing service: the number is then neither cached as unknown, nor replaced by the next, less certain
   * one. Concurrent look-ups of one number share a request. If too many look-ups are running, in total or of
   * this tenant, the result is the same as for a failure.
   */
  async find(tenant: string, gtins: readonly Gtin[]): Promise<Food | undefined> {
    for (const gtin of gtins) {
      const answer = await this.#findOne(tenant, gtin);
      if (answer === UNANSWERED) return undefined;
      if (answer !== UNKNOWN) return answer;
    }
    return undefined;
  }

  async #findOne(tenant: string, gtin: Gtin): Promise<Answer> {
    const asked = this.#underWay.get(gtin);
    if (asked !== undefined) return asked;
    if (!hasValidCheckDigit(gtin) || this.#unknown.has(gtin)) return UNKNOWN;
    const started = this.#started.get(tenant) ?? 0;
    if (this.#underWay.size >= MAX_UNDER_WAY || started >= MAX_UNDER_WAY_PER_TENANT) return UNANSWERED;
    this.#started.set(tenant, started + 1);
    const answer = this.#ask(gtin).finally(() => this.#end(tenant, gtin));
    this.#underWay.set(gtin, answer);
    return answer;
  }

  #end(tenant: string, gtin: Gtin): void {
    this.#underWay.delete(gtin);
    const left = this.#started.get(tenant)! - 1;
    if (left > 0) this.#started.set(tenant, left);
    else this.#started.delete(tenant);
  }

  async #ask(gtin: Gtin): Promise<Answer> {
    let everyoneAnswered = true;
    for (const source of this.#options.sources) {
      const answer = await source.find(gtin);
      this.#options.onAnswer(source.name, answer.outcome, 'reason' in answer ? answer.reason : undefined);
      if (answer.outcome === 'failed') everyoneAnswered = false;
      if (answer.outcome !== 'found') continue;
      const food = this.#toFood(answer.food, gtin);
      if (food === undefined) continue;
      await this.#options.keep(food);
      return food;
    }
    if (!everyoneAnswered) return UNANSWERED;
    this.#unknown.set(gtin, true);
    return UNKNOWN;
  }

  /** Undefined for a product without the required nutrients. */
  #toFood(raw: RawFood, gtin: Gtin): Food | undefined {
    const normalised = normalise(raw, Math.floor(this.#options.nowMs() / 1000));
    if (normalised.kind !== 'food') return undefined;
    // Stored under the requested number, so that it is found by that again, however the service writes it.
    return { ...normalised.food, gtin, source: 'third_party_api' };
  }
}
