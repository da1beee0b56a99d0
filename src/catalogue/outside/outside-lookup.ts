import { LRUCache } from 'lru-cache';
import { type Gtin, hasValidCheckDigit } from '../../barcode/gtin.ts';
import type { Food } from '../food.ts';
import { normalise } from '../import/normalise.ts';
import type { RawFood } from '../import/raw-food.ts';
import type { GuardedSource } from './guarded-source.ts';

/** A product that nobody knew is not asked for again for a day; by then somebody may have entered it. */
const UNKNOWN_FOR_MS = 24 * 60 * 60 * 1000;
const MAX_UNKNOWN = 100_000;
/** Look-ups that wait for an outside answer at once, in one API thread. */
const MAX_UNDER_WAY = 100;

export interface OutsideLookupPorts {
  /** In the order in which they are asked. */
  readonly sources: readonly GuardedSource[];
  /** Makes the food findable from now on. */
  readonly keep: (food: Food) => Promise<void>;
  readonly nowMs: () => number;
  /** Told of every answer, for logs and metrics. */
  readonly onAnswer: (source: string, outcome: 'found' | 'unknown' | 'failed', reason?: string) => void;
}

/** Asks outside services for products that the catalogue lacks; what they know becomes a food. */
export class OutsideLookup {
  readonly #ports: OutsideLookupPorts;
  readonly #unknown: LRUCache<Gtin, true>;
  readonly #underWay = new Map<Gtin, Promise<Food | undefined>>();

  constructor(ports: OutsideLookupPorts) {
    this.#ports = ports;
    this.#unknown = new LRUCache({
      max: MAX_UNKNOWN,
      ttl: UNKNOWN_FOR_MS,
      perf: { now: ports.nowMs },
      ttlResolution: 0,
    });
  }

  /**
   * The food with this number, or undefined when no service knows a complete one. Never throws for a fault of an
   * outside service; the answer is then undefined and not remembered. Twin questions are asked once.
   */
  find(gtin: Gtin): Promise<Food | undefined> {
    const asked = this.#underWay.get(gtin);
    if (asked !== undefined) return asked;
    if (!hasValidCheckDigit(gtin) || this.#unknown.has(gtin) || this.#underWay.size >= MAX_UNDER_WAY) {
      return Promise.resolve(undefined);
    }
    const answer = this.#ask(gtin).finally(() => this.#underWay.delete(gtin));
    this.#underWay.set(gtin, answer);
    return answer;
  }

  async #ask(gtin: Gtin): Promise<Food | undefined> {
    let everyoneAnswered = true;
    for (const source of this.#ports.sources) {
      const answer = await source.find(gtin);
      this.#ports.onAnswer(source.name, answer.outcome, 'reason' in answer ? answer.reason : undefined);
      if (answer.outcome === 'failed') everyoneAnswered = false;
      if (answer.outcome !== 'found') continue;
      const food = this.#toFood(answer.food, gtin);
      if (food === undefined) continue;
      await this.#ports.keep(food);
      return food;
    }
    if (everyoneAnswered) this.#unknown.set(gtin, true);
    return undefined;
  }

  /** Undefined for a product without the numbers that clients are promised. */
  #toFood(raw: RawFood, gtin: Gtin): Food | undefined {
    const normalised = normalise(raw, Math.floor(this.#ports.nowMs() / 1000));
    if (normalised.kind !== 'food') return undefined;
    // Found by this number, so it has to be found by it again, however the service writes it.
    return { ...normalised.food, gtin, source: 'third_party_api' };
  }
}
