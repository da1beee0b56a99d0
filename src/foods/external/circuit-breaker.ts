import type { Gtin } from '@larder/core/gtin.ts';
import {
  BrokenCircuitError,
  type CircuitBreakerPolicy,
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleAll,
  type IPolicy,
  TaskCancelledError,
  type TimeoutPolicy,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel';
import type { RawFood } from '../import/normalise/raw-food.ts';
import { ExternalFailure, type ExternalSource } from './external-source.ts';

export interface CircuitLimits {
  /** Time limit of a request. It is short, because a person waits with the scanner. */
  readonly timeoutMs: number;
  /** Number of consecutive failures that open the circuit. */
  readonly maxFailures: number;
  /** Time for which the circuit stays open. */
  readonly pauseMs: number;
  /** Maximum pause that a service may request. */
  readonly maxPauseMs: number;
}

export const CIRCUIT_LIMITS: CircuitLimits = {
  timeoutMs: 2_000,
  maxFailures: 5,
  pauseMs: 30_000,
  maxPauseMs: 600_000,
};

export type ExternalAnswer =
  | { readonly outcome: 'found'; readonly food: RawFood }
  | { readonly outcome: 'unknown' }
  /** The service was not called or did not answer; the next look-up may succeed. */
  | { readonly outcome: 'failed'; readonly reason: string };

/**
 * A circuit breaker for an external service: each request has a time limit, and a service that fails
 * repeatedly, or says that it gets too many requests, is not called for a while.
 */
export class CircuitBreaker {
  readonly name: string;
  readonly #source: ExternalSource;
  readonly #limits: CircuitLimits;
  readonly #nowMs: () => number;
  readonly #breaker: CircuitBreakerPolicy;
  readonly #policy: IPolicy<{ readonly signal: AbortSignal }>;
  #pausedUntilMs = 0;

  constructor(ports: { source: ExternalSource; limits: CircuitLimits; nowMs: () => number }) {
    this.name = ports.source.name;
    this.#source = ports.source;
    this.#limits = ports.limits;
    this.#nowMs = ports.nowMs;
    this.#breaker = circuitBreaker(handleAll, {
      breaker: new ConsecutiveBreaker(ports.limits.maxFailures),
      halfOpenAfter: ports.limits.pauseMs,
    });
    const limit: TimeoutPolicy = timeout(ports.limits.timeoutMs, TimeoutStrategy.Aggressive);
    this.#policy = wrap(this.#breaker, limit);
  }

  get isPaused(): boolean {
    return this.#breaker.state === CircuitState.Open || this.#nowMs() < this.#pausedUntilMs;
  }

  async find(gtin: Gtin): Promise<ExternalAnswer> {
    if (this.#nowMs() < this.#pausedUntilMs) return { outcome: 'failed', reason: 'asked for a pause' };
    try {
      const food = await this.#policy.execute(({ signal }) => this.#source.find(gtin, signal));
      return food === undefined ? { outcome: 'unknown' } : { outcome: 'found', food };
    } catch (error) {
      return { outcome: 'failed', reason: this.#reasonOf(error) };
    }
  }

  #reasonOf(error: unknown): string {
    if (error instanceof BrokenCircuitError) return 'left alone after repeated failures';
    if (error instanceof TaskCancelledError) return `no answer within ${this.#limits.timeoutMs} ms`;
    if (!(error instanceof ExternalFailure)) throw error;
    if (error.retryAfterMs !== undefined) {
      const pauseMs = Math.min(error.retryAfterMs, this.#limits.maxPauseMs);
      this.#pausedUntilMs = Math.max(this.#pausedUntilMs, this.#nowMs() + pauseMs);
    }
    return error.message;
  }
}
