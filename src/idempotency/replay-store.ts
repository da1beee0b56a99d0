/** Which request is meant: the same key of another tenant or user is another request. */
export interface RequestName {
  readonly tenant: string;
  /** Empty for a caller that acts for the whole tenant. */
  readonly userId: string;
  readonly idempotencyKey: string;
}

/** The answer to a request, as it is given again. */
export interface KeptAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ClaimRequest {
  readonly name: RequestName;
  /** Whose data the answer will hold; empty where it is about no user. */
  readonly subjectUserId: string;
  /** SHA-256 of all that makes the request what it is, 32 bytes. */
  readonly fingerprint: Uint8Array;
  readonly nowMs: number;
  /** When others may take over from a caller that has not settled, because it must have died. */
  readonly claimedUntilMs: number;
  /** What was first claimed up to this moment is forgotten. */
  readonly forgottenMs: number;
}

export type Claim =
  /**
   * The caller is the one to execute the request; `claimId` tells its claim from one that took over later. `attempt` is
   * above 1 where others began to execute the same request before, from `firstClaimedMs` on, and may have come far.
   */
  | {
      readonly kind: 'started';
      readonly claimId: string;
      readonly attempt: number;
      readonly firstClaimedMs: number;
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
export interface ReplayStore {
  /** Of any number of callers with one name, at once or not, one is started; another only after a claim ran out. */
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
