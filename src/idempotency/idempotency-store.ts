import type { NamedRequest } from '../time-ordered-id.ts';

/** Identifies a request: another tenant or user with the same Idempotency-Key names another request. */
export type RequestName = NamedRequest;

/** The answer to a request, as it is given again. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ClaimRequest {
  readonly name: RequestName;
  /** The user whose data the response contains; empty if it is about no user. */
  readonly subjectUserId: string;
  /** SHA-256 of the request's method, address and body, 32 bytes. */
  readonly fingerprint: Uint8Array;
  readonly nowMs: number;
  /** When others may take over from a caller that has neither settled nor extended, as it must have died. */
  readonly claimedUntilMs: number;
  /** Requests that were first claimed up to this moment are forgotten. */
  readonly forgottenMs: number;
}

export type Claim =
  /**
   * The caller is to execute the request; `claimId` tells its claim from one that takes over later. `attempt` is above 1
   * where somebody began to execute the same request before, first at `firstClaimedMs`, and may have had its effect;
   * `isDone` where the effect was noted with what it wrote in the same step.
   */
  | {
      readonly kind: 'started';
      readonly claimId: string;
      readonly attempt: number;
      readonly firstClaimedMs: number;
      readonly isDone: boolean;
    }
  /** Somebody else is executing it. */
  | { readonly kind: 'running' }
  | { readonly kind: 'answered'; readonly answer: KeptAnswer }
  /** The name was used for a request with another fingerprint. */
  | { readonly kind: 'other' };

/**
 * Keeps what was answered to requests that name themselves. What a method has answered is durable and seen by every
 * later call, from whichever thread, process or node it comes.
 */
export interface IdempotencyStore {
  /**
   * Starts the request for one of several concurrent callers; another one may start it after that claim has expired.
   */
  claim(request: ClaimRequest): Promise<Claim>;
  /** Holds the request for longer. Nothing happens when it was settled, abandoned, or another claim took over. */
  extend(name: RequestName, claimId: string, claimedUntilMs: number): Promise<void>;
  /** Keeps the answer. Nothing happens when another claim took over. */
  settle(name: RequestName, claimId: string, answer: KeptAnswer): Promise<void>;
  /** Lets the next caller execute the request, or another one. Nothing happens when another claim took over. */
  abandon(name: RequestName, claimId: string): Promise<void>;
  /** Removes up to `limit` requests that were first claimed up to this moment, and says how many. */
  removeForgotten(forgottenMs: number, limit: number): Promise<number>;
}
