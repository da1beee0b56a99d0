import { AppError } from '@larder/core/errors.ts';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import * as errors from 'jose/errors';
import { createLocalJWKSet } from 'jose/jwks/local';
import { readBounded } from '../../outgoing/bounded-response.ts';
import { type AllowedServers, type HttpLimits, httpGet, parseLink } from '../../outgoing/http-get.ts';
import type { OutgoingAddresses } from '../../outgoing/outgoing-addresses.ts';

/** Time limit for a complete document. */
const TIMEOUT_MS = 5_000;
const LIMITS: HttpLimits = { answerTimeoutMs: TIMEOUT_MS, idleTimeoutMs: TIMEOUT_MS, maxRedirects: 0 };
const MAX_DOCUMENT_BYTES = 100_000;
/** Keys are refreshed after this time. */
const MAX_AGE_MS = 10 * 60_000;
/** Keys are used this long while the issuer does not answer. */
const MAX_OUTAGE_MS = 60 * 60_000;
/** Minimum time between requests to the issuer for unknown keys, or while it does not answer. */
const COOLDOWN_MS = 30_000;
/** Minimum time between requests while there are no usable keys. */
const RETRY_MS = 1_000;

export interface IssuerKeysOptions {
  readonly issuer: string;
  /** Other servers that may serve its keys. */
  readonly addresses: OutgoingAddresses;
  readonly nowMs: () => number;
}

interface LoadedKeys {
  readonly find: JWTVerifyGetKey;
  readonly atMs: number;
}

/**
 * The public keys of an OpenID issuer, found by OpenID Connect Discovery 1.0 on first use. If they cannot be
 * refreshed, they are used for an hour.
 */
export class IssuerKeys {
  readonly #options: IssuerKeysOptions;
  #loaded: LoadedKeys | undefined;
  #loading: Promise<LoadedKeys> | undefined;
  /** Time of the last attempt to load keys. */
  #askedAtMs = Number.NEGATIVE_INFINITY;
  #trouble: unknown;

  constructor(options: IssuerKeysOptions) {
    this.#options = options;
  }

  /** Throws `unavailable` if the issuer does not answer and there are no valid keys. */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const { find } = await this.#current();
    try {
      return await find(header, token);
    } catch (cause) {
      if (!(cause instanceof errors.JWKSNoMatchingKey) || !this.#mayAsk(COOLDOWN_MS)) throw cause;
      return (await this.#reload()).find(header, token);
    }
  };

  async #current(): Promise<LoadedKeys> {
    const loaded = this.#loaded;
    if (loaded !== undefined && this.#isYounger(loaded.atMs, MAX_AGE_MS)) return loaded;
    const isGood = loaded !== undefined && this.#isYounger(loaded.atMs, MAX_OUTAGE_MS);
    if (this.#loading === undefined && !this.#mayAsk(isGood ? COOLDOWN_MS : RETRY_MS)) {
      if (isGood) return loaded;
      throw unreachable(this.#trouble);
    }
    return this.#reload();
  }

  /** Reloads the keys, and keeps the known ones while the issuer does not answer. */
  async #reload(): Promise<LoadedKeys> {
    this.#askedAtMs = this.#options.nowMs();
    this.#loading ??= this.#load().finally(() => {
      this.#loading = undefined;
    });
    try {
      return await this.#loading;
    } catch (cause) {
      this.#trouble = cause;
      const loaded = this.#loaded;
      if (loaded !== undefined && this.#isYounger(loaded.atMs, MAX_OUTAGE_MS)) return loaded;
      throw unreachable(cause);
    }
  }

  async #load(): Promise<LoadedKeys> {
    const { issuer, addresses, nowMs } = this.#options;
    const home = new URL(issuer);
    const discovery = new URL(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`);
    const document = (await readJson(discovery, { home, addresses })) as Discovery;
    // Discovery 1.0, 4.3: "The issuer value returned MUST be identical to the Issuer URL".
    if (document?.issuer !== issuer) throw new Error(`the discovery document is that of ${document?.issuer}`);
    const address = parseLink(discovery, String(document.jwks_uri));
    const keys = (await readJson(address, { home, addresses })) as JSONWebKeySet;
    this.#loaded = { find: createLocalJWKSet(keys), atMs: nowMs() };
    return this.#loaded;
  }

  #mayAsk(everyMs: number): boolean {
    return !this.#isYounger(this.#askedAtMs, everyMs);
  }

  /** After a clock change the age is unknown; the absolute difference is an upper estimate. */
  #isYounger(atMs: number, ms: number): boolean {
    return Math.abs(this.#options.nowMs() - atMs) < ms;
  }
}

interface Discovery {
  readonly issuer?: unknown;
  readonly jwks_uri?: unknown;
}

async function readJson(url: URL, reach: AllowedServers): Promise<unknown> {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  const response = await httpGet({ url, reach, limits: LIMITS, signal });
  try {
    if (response.statusCode !== 200) throw new Error(`${url} answers ${response.statusCode}`);
    return JSON.parse((await readBounded(response, MAX_DOCUMENT_BYTES)).toString());
  } finally {
    response.destroy();
  }
}

function unreachable(cause: unknown): AppError {
  return new AppError({
    code: 'unavailable',
    message: 'The issuer of this access token cannot be asked for its keys; try again in a moment.',
    cause,
  });
}
