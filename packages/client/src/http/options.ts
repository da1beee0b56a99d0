import type { LarderError } from './error.ts';

/** A request that is about to be repeated. */
export interface Retry {
  readonly error: LarderError;
  /** 1 for the first repetition. */
  readonly attempt: number;
  /** Time that the client waits before. */
  readonly waitMs: number;
}

interface CommonOptions {
  /** The address of the service, such as `https://food.example.org`. */
  readonly url: string | URL;
  /** Replaces the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Time limit of one attempt; 30 s by default. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of repetitions; 2 by default. */
  readonly maxRetries?: number | undefined;
  /** Called before each repetition; if it throws, the call ends with that error. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
}

interface KeyCredential {
  /** An API key, for servers: it acts for all users of its tenant. */
  readonly key: string;
  readonly token?: undefined;
}

interface TokenCredential {
  readonly key?: undefined;
  /**
   * An access token of one user, for apps and browsers, or a function that returns one. The function is
   * called for the first request and when the service answers that the token has expired.
   */
  readonly token: string | (() => string | Promise<string>);
}

interface NoCredential {
  readonly key?: undefined;
  readonly token?: undefined;
}

export type LarderOptions = CommonOptions & (KeyCredential | TokenCredential | NoCredential);

/** Options of one call. */
export interface CallOptions {
  /** Ends the call, including waits between attempts, with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** Time limit of one attempt. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
}

/** Options of a call that creates something. */
export interface CreateOptions extends CallOptions {
  /**
   * Names the request: the service executes it once in 24 hours, however often it is sent. A new one by default; give one that
   * you keep to repeat a request after a restart of your app.
   */
  readonly idempotencyKey?: string | undefined;
}

/** Options of a call that changes or deletes something. */
export interface ChangeOptions extends CallOptions {
  /**
   * Applies the change only if this is the current version (see `versionOf`), else fails with `version_conflict`. Throws where it is
   * undefined, since the change would then replace any version: leave it out for that.
   */
  readonly ifMatch?: number | string;
}
