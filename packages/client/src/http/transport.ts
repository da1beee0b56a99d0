import { LarderError } from './error.ts';
import type { CallOptions, ChangeOptions, CreateOptions, LarderOptions } from './options.ts';
import { errorOf, readJson } from './response.ts';
import { Deadline, wait } from './waiting.ts';

const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_MAX_RETRIES = 2;
/** Wait before the first repetition if the service names none; doubled for each further one, up to the maximum. */
const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8_000;
/** Maximum wait of a request that is repeated until it succeeds. */
const MAX_LASTING_WAIT_MS = 30_000;
/** Limits are counted by the minute. If the service asks for more, the caller decides. */
const MAX_RETRY_AFTER_MS = 60_000;
const ID_BYTES = 16;

export interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path with its query, or the complete URL of another server. */
  readonly path: string;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged. */
  readonly bytes?: Image;
  /** The type of the body, of JSON by default. */
  readonly type?: string | undefined;
  /** How the credential is sent. */
  readonly as?: 'bearer' | 'api-key' | 'nobody';
  readonly headers?: Readonly<Record<string, string>>;
  /** Not repeated if the first attempt may have been executed, because the second one would do something else. */
  readonly once?: boolean;
  /** Repeated until it succeeds or the caller stops, as long as that may help. */
  readonly untilDone?: boolean;
  readonly options?: (CallOptions & CreateOptions & ChangeOptions) | undefined;
}

/** The bytes of an image or another file. */
export type Image = Blob | ArrayBuffer | Uint8Array;

/** The result of one call of the token function. */
interface GivenToken {
  readonly text: Promise<string>;
}

/** Reads a response within the time limit of the attempt. */
export type Read<T> = (response: Response, deadline: Deadline) => Promise<T> | T;

/** Sends requests: credential, time limits, repetitions. */
export class Transport {
  readonly #options: LarderOptions;
  readonly #url: string;
  #token: GivenToken | undefined;

  constructor(options: LarderOptions) {
    this.#options = options;
    this.#url = String(options.url).replace(/\/+$/, '');
  }

  get key(): string | undefined {
    return this.#options.key;
  }

  /** Sends a request and reads its JSON. */
  json<T>(call: Call): Promise<T> {
    return this.send(call, readJson as Read<T>);
  }

  /** Sends a request, and repeats it if that may help and does no harm. */
  async send<T>(call: Call, read: Read<T>): Promise<T> {
    const { options: { signal, maxRetries = this.#maxRetriesOf(call) } = {} } = call;
    const headers = this.#headersOf(call);
    // A second change of a version would be refused, because the first one changed it.
    const once = call.once || (call.method !== 'DELETE' && headers.has('if-match'));
    let isRenewed = false;
    /** Whether an earlier attempt may have been executed, without a response that says so. */
    let isUnknown = false;
    for (let attempt = 1; ; attempt++) {
      const token = await this.#authorize(headers, call);
      let error: LarderError;
      try {
        return await this.#attempt(call, headers, read);
      } catch (cause) {
        if (!(cause instanceof LarderError)) throw cause;
        error = cause;
      }
      if (isUnknown && call.method === 'DELETE' && error.status === 404) return undefined as T;
      if (!isRenewed && this.#renew(error, token)) {
        isRenewed = true;
        attempt--;
        continue;
      }
      isUnknown ||= mayBeExecuted(error);
      const waitMs = call.untilDone ? lastingWait(attempt, error) : waitBefore(attempt, error, isUnknown);
      if (attempt > maxRetries || waitMs === undefined || (isUnknown && once)) throw error;
      this.#options.onRetry?.({ error, attempt, waitMs });
      await wait(waitMs, signal);
    }
  }

  #maxRetriesOf({ untilDone }: Call): number {
    return untilDone ? Number.POSITIVE_INFINITY : (this.#options.maxRetries ?? DEFAULT_MAX_RETRIES);
  }

  /** Sends a request once, unchanged. */
  async request(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    if (path.startsWith('/') && !headers.has('authorization')) await this.#authorize(headers, { path });
    return this.#fetch(path, { redirect: 'manual', ...init, headers });
  }

  #fetch(path: string, init: RequestInit): Promise<Response> {
    const url = path.startsWith('/') ? this.#url + path : path;
    return (this.#options.fetch ?? globalThis.fetch)(url, init);
  }

  /** Throws the reason of an aborted signal, otherwise a `LarderError`. */
  async #attempt<T>(call: Call, headers: Headers, read: Read<T>): Promise<T> {
    const { method = 'GET', path, body, bytes, options = {} } = call;
    const { signal, timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS } = options;
    signal?.throwIfAborted();
    const deadline = new Deadline(timeoutMs, signal);
    const content = bytes ?? (body === undefined ? null : JSON.stringify(body));
    try {
      const response = await this.#fetch(path, {
        method,
        headers,
        body: content as string | null,
        // Redirects are not followed: they would turn a POST into a GET, and could send a key to another
        // server.
        redirect: 'manual',
        signal: deadline.signal,
      });
      if (!response.ok) throw await errorOf(response);
      return await read(response, deadline);
    } catch (cause) {
      if (signal?.aborted) throw signal.reason;
      if (cause instanceof LarderError) throw cause;
      if (deadline.isOver) {
        const message = `There was no complete response within ${timeoutMs} ms.`;
        throw new LarderError({ code: 'timeout', message, details: { timeoutMs }, cause });
      }
      const reason = (cause as Error).cause ?? cause;
      const origin = /^\w+:\/\/[^/?#]*/.exec(path.startsWith('/') ? this.#url : path)?.[0] ?? '';
      const message = `${origin} gives no response: ${reason instanceof Error ? reason.message : reason}`;
      throw new LarderError({ code: 'connection_failed', message, details: { origin }, cause });
    } finally {
      if (!deadline.isKept) deadline.clear();
    }
  }

  #headersOf({ method, body, type, options = {}, headers }: Call): Headers {
    const all = new Headers(headers);
    if (type !== undefined || body !== undefined) all.set('content-type', type ?? 'application/json');
    if (method === 'POST') all.set('idempotency-key', options.idempotencyKey ?? randomId());
    if ('ifMatch' in options) all.set('if-match', tagOf(options.ifMatch));
    return all;
  }

  /** Sets the credential. Returns the token that a function gave. */
  async #authorize(headers: Headers, { as = 'bearer' }: Call): Promise<GivenToken | undefined> {
    const { key, token } = this.#options;
    if (as === 'nobody') return undefined;
    if (as === 'api-key') {
      if (token !== undefined) throw new TypeError('The unversioned paths take an API key, not a token.');
      if (key !== undefined) headers.set('x-api-key', key);
      return undefined;
    }
    if (typeof token === 'function') {
      this.#token ??= { text: Promise.resolve().then(token) };
      const given = this.#token;
      given.text.catch(() => this.#forget(given));
      headers.set('authorization', `Bearer ${await given.text}`);
      return given;
    }
    const credential = key ?? token;
    if (credential !== undefined) headers.set('authorization', `Bearer ${credential}`);
    return undefined;
  }

  /** Whether a new token may help. */
  #renew({ code }: LarderError, token: GivenToken | undefined): boolean {
    if (token === undefined || (code !== 'expired_token' && code !== 'invalid_token')) return false;
    this.#forget(token);
    return true;
  }

  #forget(token: GivenToken): void {
    if (this.#token === token) this.#token = undefined;
  }
}

/** The entity tag of a version. Without one the change would replace whatever there is. */
function tagOf(version: number | string | undefined): string {
  if (typeof version === 'string') return version;
  if (Number.isSafeInteger(version)) return `"${version}"`;
  throw new TypeError(
    '"ifMatch" is no version: give that of versionOf(), or leave it out to change any version.',
  );
}

/**
 * The service rejects requests beyond a limit before it executes them; after any other error the request may
 * have been executed.
 */
function mayBeExecuted({ status = 0 }: LarderError): boolean {
  return status !== 429 && (status < 400 || status >= 500);
}

/** Undefined if no repetition helps. */
function waitBefore(attempt: number, error: LarderError, isUnknown: boolean): number | undefined {
  if (!isPassing(error, isUnknown)) return undefined;
  const { retryAfterMs } = error;
  if (retryAfterMs !== undefined) return retryAfterMs > MAX_RETRY_AFTER_MS ? undefined : retryAfterMs;
  return growingWait(attempt, MAX_WAIT_MS);
}

/** Undefined where the service has refused the request. Anything else passes: a restart, an outage, a page of a proxy. */
function lastingWait(attempt: number, { code, status = 0, retryAfterMs }: LarderError): number | undefined {
  const isRefused = status >= 400 && status < 500 && status !== 429 && code !== 'unexpected_response';
  if (isRefused) return undefined;
  return retryAfterMs === undefined
    ? growingWait(attempt, MAX_LASTING_WAIT_MS)
    : Math.min(retryAfterMs, MAX_RETRY_AFTER_MS);
}

/** Half of the delay is random, so that clients that were disconnected together do not return together. */
function growingWait(attempt: number, maxMs: number): number {
  const longestMs = Math.min(maxMs, FIRST_WAIT_MS * 2 ** (attempt - 1));
  return (longestMs * (1 + Math.random())) / 2;
}

function isPassing({ code, status }: LarderError, isUnknown: boolean): boolean {
  // The interrupted first attempt still runs on the service.
  if (code === 'idempotency_conflict') return isUnknown;
  return status === undefined || [429, 502, 503, 504].includes(status);
}

/** Not `crypto.randomUUID`, which browsers have only on HTTPS. */
function randomId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
