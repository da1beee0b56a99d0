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
 * Ids that are equal whenever the same request is executed, so that objects from an execution that crashed
 * are found and not created again. They all derive from one seed, so a request can create only one series of
 * objects.
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

/** Time for which a response is repeated. */
export const KEPT_FOR_MS = 24 * 3_600_000;
/** Time after which a claim that is not extended counts as dead: the next retry executes the request again. */
export const CLAIM_MS = 4_000;
/** Interval of extending a claim during execution. */
export const EXTEND_EVERY_MS = 1_000;
/** Maximum duration of a request; claims are not extended beyond it. */
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
      /**
       * Ids for the objects that the request creates, so that the effect of a crashed execution is found
       * instead of repeated.
       */
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
 * Lets a client repeat a request without executing it twice.
 *
 *     claim ──started──▶ execute ──settle──▶ stored for a day, repeated
 *       │ ▲                │  └──abandon──▶ the next one executes
 *       │ └──wait──running──┘   ▲ crashed: after CLAIM_MS the next one executes, with the same ids
 *       │                   └─extend┘
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

  /** Extends the claim until it is released, but not longer than `MAX_EXECUTION_MS`. */
  #hold(name: RequestName, claimId: string): () => void {
    const untilMs = this.#nowMs() + MAX_EXECUTION_MS;
    const extend = async () => {
      const nowMs = this.#nowMs();
      if (nowMs > untilMs) release();
      else await this.#store.extend(name, claimId, nowMs + CLAIM_MS);
    };
    // A claim that cannot be extended expires, as if this process had crashed.
    const holding = new RepeatedTask(extend, { everyMs: EXTEND_EVERY_MS, onError: () => {} });
    const release = () => void holding.stop();
    holding.start();
    return release;
  }
}

function conflict(message: string): AppError {
  return new AppError({ code: 'idempotency_conflict', message });
}
