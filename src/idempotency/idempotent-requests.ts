import { createHash } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { type Pause, pause as pauseOnTimer } from '../base/pause.ts';
import { RepeatedTask } from '../base/repeated-task.ts';
import type { IdSource } from '../base/time-ordered-id.ts';
import type { IdempotencyStore, RequestClaim, RequestName, StoredResponse } from './idempotency-store.ts';

export interface NamedExecution {
  readonly name: RequestName;
  readonly fingerprint: Uint8Array;
  readonly firstClaimedMs: number;
  readonly attempt: number;
  readonly isDone: boolean;
}

/**
 * Ids that are the same whenever the same request is executed, so that what an execution created before it died is
 * found and not created again. They all derive from one seed, so a request can create only one series of things.
 */
export function requestIds({ name, fingerprint, firstClaimedMs, attempt, isDone }: NamedExecution): IdSource {
  const { tenant, userId, idempotencyKey } = name;
  const seed = JSON.stringify([tenant, userId, idempotencyKey, firstClaimedMs]);
  return {
    timeMs: firstClaimedMs,
    // SHAKE has output of any length, and a shorter output is the beginning of a longer one.
    randomBytes: (count) =>
      createHash('shake256', { outputLength: count }).update(seed).update(fingerprint).digest(),
    mayExist: attempt > 1,
    request: name,
    isDone,
  };
}

/** How long an answer is given again. */
export const KEPT_FOR_MS = 24 * 3_600_000;
/** A claim that is not extended for this long is dead: the next retry executes the request anew. */
export const CLAIM_MS = 4_000;
/** How often a claim is extended while its request is executed. */
export const EXTEND_EVERY_MS = 1_000;
/** No request takes longer; claims are not extended beyond it. */
export const MAX_EXECUTION_MS = 60_000;
const POLL_MS = 25;
const MAX_WAIT_MS = 10_000;
/** Larger responses are not stored; no operation has any. */
export const MAX_KEPT_BODY_CHARACTERS = 1_048_576;

/** The plan for a request: repeat the first answer, or execute and then settle or abandon. */
export type RequestPlan =
  | { readonly kind: 'replay'; readonly answer: StoredResponse }
  | {
      readonly kind: 'execute';
      /** Ids for what the request creates, by which the effect of an execution that died is found instead of repeated. */
      readonly ids: IdSource;
      readonly settle: (answer: StoredResponse) => Promise<void>;
      readonly abandon: () => Promise<void>;
    };

type Started = Extract<RequestClaim, { kind: 'started' }>;

export interface IdempotentRequestsOptions {
  readonly store: IdempotencyStore;
  readonly nowMs: () => number;
  readonly pause?: Pause;
}

/**
 * Lets a client repeat a request without fear of doing it twice.
 *
 *     claim ──started──▶ execute ──settle──▶ kept for a day, given again
 *       │ ▲                 │ └──abandon──▶ the next one executes
 *       │ └──wait──running──┘ ▲ died: after CLAIM_MS the next one executes, with the same ids
 *       │             └─extend┘
 *       └──other──▶ idempotency_conflict
 */
export class IdempotentRequests {
  readonly #store: IdempotencyStore;
  readonly #nowMs: () => number;
  readonly #pause: Pause;

  constructor({ store, nowMs, pause = pauseOnTimer }: IdempotentRequestsOptions) {
    this.#store = store;
    this.#nowMs = nowMs;
    this.#pause = pause;
  }

  /**
   * Throws `idempotency_conflict` if the key was used for another request, or if the same request is still running
   * after `MAX_WAIT_MS`. `subjectUserId` is the user whose data the response contains; empty for none.
   */
  async open(name: RequestName, fingerprint: Uint8Array, subjectUserId = name.userId): Promise<RequestPlan> {
    const patientUntilMs = this.#nowMs() + MAX_WAIT_MS;
    for (;;) {
      const nowMs = this.#nowMs();
      const claim = await this.#store.claim({
        name,
        subjectUserId,
        fingerprint,
        nowMs,
        claimedUntilMs: nowMs + CLAIM_MS,
        forgottenMs: nowMs - KEPT_FOR_MS,
      });
      if (claim.kind === 'answered') return { kind: 'replay', answer: claim.answer };
      if (claim.kind === 'other') throw conflict('This Idempotency-Key was used with another request.');
      if (claim.kind === 'started') return this.#execution(name, fingerprint, claim);
      if (nowMs >= patientUntilMs)
        throw conflict('The first request with this Idempotency-Key is still under way.');
      await this.#pause(POLL_MS);
    }
  }

  #execution(name: RequestName, fingerprint: Uint8Array, started: Started): RequestPlan {
    const { claimId, attempt, firstClaimedMs, isDone } = started;
    const release = this.#hold(name, claimId);
    const abandon = () => {
      release();
      return this.#store.abandon(name, claimId);
    };
    return {
      kind: 'execute',
      ids: requestIds({ name, fingerprint, firstClaimedMs, attempt, isDone }),
      abandon,
      settle: (answer) => {
        if (answer.body.length > MAX_KEPT_BODY_CHARACTERS) return abandon();
        release();
        return this.#store.settle(name, claimId, answer);
      },
    };
  }

  /** Extends the claim until it is released, but no longer than `MAX_EXECUTION_MS`. */
  #hold(name: RequestName, claimId: string): () => void {
    const untilMs = this.#nowMs() + MAX_EXECUTION_MS;
    const extend = async () => {
      const nowMs = this.#nowMs();
      if (nowMs > untilMs) release();
      else await this.#store.extend(name, claimId, nowMs + CLAIM_MS);
    };
    // A claim that cannot be extended runs out, as if this process had died.
    const holding = new RepeatedTask(extend, { everyMs: EXTEND_EVERY_MS, onError: () => {} });
    const release = () => void holding.stop();
    holding.start();
    return release;
  }
}

function conflict(message: string): AppError {
  return new AppError({ code: 'idempotency_conflict', message });
}
