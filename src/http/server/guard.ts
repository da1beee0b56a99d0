import { hash, timingSafeEqual } from 'node:crypto';
import { AppError, type ErrorCode } from '@larder/core/errors.ts';
import { type Caller, USER_ID_PATTERN } from '../../access/api-key.ts';
import { requireScope, requireUser } from '../../api/acting-user.ts';
import {
  type AlsoCounted,
  type CallerAccess,
  type CredentialKind,
  isCallerAccess,
} from '../../api/operation.ts';
import { readSessionCookie } from '../../api/session-cookie.ts';
import { counted } from '../../base/texts.ts';
import { type LimitDecision, WINDOW_SECONDS } from '../../counters/counters.ts';
import { type LimitedOperation, totalOf } from '../../limits/operations.ts';
import type { Limiter, LimitSubject } from '../../limits/request-limiter.ts';
import type { Confirmation } from '../../people/confirmation.ts';
import type { Sessions } from '../../people/sessions.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';

const SAFE_METHODS = ['GET', 'HEAD'];

/** Returns the session of a request to `/v1`. A cookie is ignored beside an Authorization header. */
export function sessionOf(kind: CredentialKind, { incoming: { headers }, url, baseUrl }: Exchange) {
  if (kind !== 'bearer' || headers.authorization !== undefined || !url.startsWith('/v1/')) return undefined;
  return readSessionCookie(headers.cookie, baseUrl);
}

/**
 * Throws `forbidden` for a request with a cookie that a page of another origin has made. A request that changes something has to
 * name its origin; browsers always do.
 */
function requirePageOrigin({ incoming: { method, headers }, origin }: Exchange): void {
  const site = headers['sec-fetch-site'];
  const isSafe = SAFE_METHODS.includes(method!);
  const isOwnSite = site === 'same-origin' || (isSafe && (site === undefined || site === 'none'));
  const isOwnOrigin = headers.origin === undefined ? isOwnSite : headers.origin === origin;
  if (isOwnOrigin && (isOwnSite || site === undefined)) return;
  throw new AppError({
    code: 'forbidden',
    message: `A session is taken from pages of ${origin} only. If this is another address of the service, set LARDER_PUBLIC_URL.`,
  });
}

const BEARER = /^Bearer +(\S+) *$/i;

const CHALLENGE: Readonly<Record<CredentialKind, string>> = {
  bearer: 'Bearer realm="larder"',
  'x-api-key': 'ApiKey realm="larder", header="x-api-key"',
  'client-secret': 'Basic realm="larder"',
};

const HOW_TO_SEND: Readonly<Record<CredentialKind, string>> = {
  bearer: 'Send a key or an access token as "Authorization: Bearer <credential>".',
  'x-api-key': 'Send a key in the x-api-key header.',
  'client-secret': 'Send a key as client_secret in the body, or as the password of HTTP Basic.',
};

const TOKEN_CODES: readonly ErrorCode[] = ['invalid_token', 'expired_token'];

export interface GuardOptions {
  readonly authentication: {
    /** The caller if it is known without waiting; undefined also for a credential that `authenticate` refuses. */
    known(credential: string, kind: CredentialKind): Caller | undefined;
    /** Rejects with an AppError for a credential that is unknown, expired or revoked. */
    authenticate(credential: string, kind: CredentialKind): Promise<Caller>;
  };
  /** Sessions of people; absent where no page is served. */
  readonly sessions?: Sessions | undefined;
  readonly confirmation?: Confirmation | undefined;
  readonly limiter: Limiter;
  /** The clock of rate limits, Unix milliseconds. */
  readonly nowMs: () => number;
}

/**
 * The one place that decides whether a request may pass: authentication, authorisation and rate limits. It throws the
 * AppError that refuses the request.
 */
export class Guard {
  readonly #options: GuardOptions;

  constructor(options: GuardOptions) {
    this.#options = options;
  }

  /**
   * Admits a request without waiting: the credential is in use, and the counters are of this process. False if `admit` has
   * to decide; then nothing was counted.
   */
  admitNow({ callers, operation }: Endpoint, exchange: Exchange): boolean {
    if (callers === undefined || callers.credential === 'client-secret' || callers.confirmed) return false;
    const caller = this.#known(callers.credential, exchange);
    if (caller === undefined) return false;
    const { counts, subject } = countedAs(operation, caller, exchange);
    const decision = this.#options.limiter.takeNow(counts, subject);
    if (decision === undefined) return false;
    this.#checkCaller(caller, callers, decision, exchange);
    return true;
  }

  /** If the body holds the credential, only addresses that may still guess get as far as reading it. */
  async admit({ access, operation }: Endpoint, exchange: Exchange): Promise<void> {
    const { counts } = operation;
    if (access === 'public') {
      if (counts === 'uncounted') return;
      if (counts === 'health') return this.#count('other', { prober: exchange.address }, exchange);
      return this.#count(counts, { address: exchange.address }, exchange);
    }
    if ('secret' in access) return this.#requireSecret(access.secret, exchange);
    if (access.credential === 'client-secret') return this.#refuseExhausted(exchange);
    return this.#admitCaller(access, operation, exchange);
  }

  /** Admits a request that the service makes for a caller whom it has admitted. */
  async admitFor(caller: Caller, { callers, operation }: Endpoint, exchange: Exchange): Promise<void> {
    if (callers === undefined) throw new Error('only operations for callers are called');
    const { counts, subject } = countedAs(operation, caller, exchange);
    const decision = await this.#options.limiter.take(counts, subject);
    this.#checkCaller(caller, callers, decision, exchange);
    if (callers.confirmed) await this.#options.confirmation?.require(caller);
  }

  /**
   * Checks the credential of an admitted request again, after a wait: it may have ended, or have lost its rights. Rejects with the
   * AppError that refuses the request.
   */
  async recheck(exchange: Exchange): Promise<void> {
    const access = exchange.endpoint?.operation.access;
    if (!isCallerAccess(access)) return;
    const caller = await this.#authenticate(access.credential, exchange);
    requireAccess(caller, access, exchange);
    exchange.caller = caller;
  }

  /** Admits a request whose body holds the credential. */
  async admitByBody({ callers, operation }: Endpoint, exchange: Exchange): Promise<void> {
    if (callers?.credential === 'client-secret') await this.#admitCaller(callers, operation, exchange);
  }

  /**
   * Counts a request further, once the schemas have accepted its body. The headers stay those of `counts`, unless this refuses the
   * request or counts the same operation.
   */
  async countAlso(also: AlsoCounted, { operation }: Endpoint, exchange: Exchange): Promise<void> {
    const isSame = also.operation === operation.counts;
    const caller = exchange.caller!;
    const before =
      countedAs(operation, caller, exchange).counts === totalOf(also.operation) ? 'total' : 'whole';
    const userId = totalOf(also.operation) === undefined ? undefined : userOf(operation, exchange);
    const subject =
      caller.userId === undefined && userId !== undefined ? { key: caller.key, userId } : caller;
    const times = { all: also.times, counted: isSame ? before : 'not' } as const;
    const decision = await this.#options.limiter.take(also.operation, subject, times);
    if (isSame || decision?.allowed === false) this.#apply(decision, exchange);
  }

  /** Counts a request for a path or method that does not exist: by a valid credential, without one by address. */
  async unknown(exchange: Exchange): Promise<void> {
    const kind = exchange.incoming.headers.authorization === undefined ? 'x-api-key' : 'bearer';
    let caller: Caller | undefined;
    try {
      caller = await this.#authenticate(kind, exchange);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    await this.#count('other', caller ?? { address: exchange.address }, exchange);
  }

  /** Counts a request that was refused before it was counted, so that every answer has the rate limit headers. */
  async refused(exchange: Exchange): Promise<void> {
    const decision = await this.#options.limiter.take('other', { address: exchange.address });
    this.#apply(decision, exchange, true);
  }

  async #admitCaller(access: CallerAccess, operation: Counted, exchange: Exchange): Promise<void> {
    const caller = await this.#authenticate(access.credential, exchange).catch((error) =>
      this.#refuseCredential(access.credential, exchange, error),
    );
    const { counts, subject } = countedAs(operation, caller, exchange);
    this.#checkCaller(caller, access, await this.#options.limiter.take(counts, subject), exchange);
    if (access.confirmed) await this.#options.confirmation?.require(caller);
  }

  #checkCaller(
    caller: Caller,
    access: CallerAccess,
    decision: LimitDecision | undefined,
    exchange: Exchange,
  ): void {
    exchange.caller = caller;
    this.#apply(decision, exchange);
    requireAccess(caller, access, exchange);
  }

  async #refuseCredential(kind: CredentialKind, exchange: Exchange, error: unknown): Promise<never> {
    if (error instanceof AppError) {
      await this.#count('other', { address: exchange.address }, exchange);
      // RFC 6750, 3.1: tells a bad token apart from a missing one.
      const reason = TOKEN_CODES.includes(error.code) ? ', error="invalid_token"' : '';
      if (error.code !== 'invalid_request')
        exchange.replyHeaders['www-authenticate'] = CHALLENGE[kind] + reason;
    }
    throw error;
  }

  #known(kind: CredentialKind, exchange: Exchange): Caller | undefined {
    const { authentication, sessions } = this.#options;
    const credential = credentialOf(kind, exchange);
    if (credential !== undefined) return authentication.known(credential, kind);
    const session = sessions && sessionOf(kind, exchange);
    if (session === undefined) return undefined;
    requirePageOrigin(exchange);
    return sessions!.known(session);
  }

  async #authenticate(kind: CredentialKind, exchange: Exchange): Promise<Caller> {
    const { authentication, sessions } = this.#options;
    const credential = credentialOf(kind, exchange);
    if (credential !== undefined) return authentication.authenticate(credential, kind);
    const session = sessions && sessionOf(kind, exchange);
    if (session !== undefined) {
      requirePageOrigin(exchange);
      return sessions!.authenticate(session);
    }
    const message = `A credential is missing. ${HOW_TO_SEND[kind]}`;
    throw new AppError({ code: 'invalid_api_key', message });
  }

  async #count(operation: LimitedOperation, subject: LimitSubject, exchange: Exchange): Promise<void> {
    this.#apply(await this.#options.limiter.take(operation, subject), exchange);
  }

  /**
   * Refuses an address that has no requests without a valid credential left. It is not counted here: a request that turns
   * out to have a valid credential counts for that alone.
   */
  async #refuseExhausted(exchange: Exchange): Promise<void> {
    const decision = await this.#options.limiter.peek({ address: exchange.address });
    if (decision?.allowed === false) this.#apply(decision, exchange);
  }

  /** Requests with the secret are not counted, all others by address. */
  async #requireSecret(secret: string, exchange: Exchange): Promise<void> {
    if (isBearerOf(secret, exchange.incoming.headers.authorization)) return;
    await this.#count('other', { address: exchange.address }, exchange);
    exchange.replyHeaders['www-authenticate'] = CHALLENGE.bearer;
    const message = 'Send the secret of this address as "Authorization: Bearer <secret>".';
    throw new AppError({ code: 'invalid_api_key', message });
  }

  /** Sets the rate limit headers, and refuses the request if its limit is used up, unless it is already refused. */
  #apply(decision: LimitDecision | undefined, exchange: Exchange, isRefused = false): void {
    if (decision === undefined) return;
    exchange.isCounted = true;
    exchange.replyHeaders['x-ratelimit-limit'] = decision.limit;
    exchange.replyHeaders['x-ratelimit-remaining'] = decision.remaining;
    exchange.replyHeaders['x-ratelimit-reset'] = decision.resetsAt;
    if (decision.allowed || isRefused) return;
    // Bounded, since the window ends by the clock of whoever counts, which may be another machine's.
    const seconds = Math.ceil(decision.resetsAt - this.#options.nowMs() / 1000);
    const retryAfter = Math.min(WINDOW_SECONDS, Math.max(1, seconds));
    exchange.replyHeaders['retry-after'] = retryAfter;
    throw new AppError({
      code: 'rate_limit_exceeded',
      message: `Too many requests; wait ${counted(retryAfter, 'second')}.`,
      details: { retryAfter },
    });
  }
}

/**
 * Throws `forbidden`. A path with a `:userId` is closed to those who may not act for this user, before anything is looked up. `me` is the
 * user of a token, a session or an own key; a key acts for many users, so that `me` is one of them.
 */
function requireAccess(caller: Caller, { scope, orScope, alone }: CallerAccess, { raw }: Exchange): void {
  if (orScope === undefined || !caller.scopes.includes(orScope)) requireScope(caller, scope);
  if (raw.params['userId'] === OWN_USER && caller.userId !== undefined)
    raw.params = { ...raw.params, userId: caller.userId };
  const intent = alone ? 'alone' : scope === 'diary:read' ? 'read' : 'write';
  requireUser(caller, raw.params['userId'] as string | undefined, intent);
}

/** The user of the caller in a path. */
const OWN_USER = 'me';

type Counted = Pick<Endpoint['operation'], 'counts' | 'subjectField'>;

/**
 * Returns the limit that a request counts towards before its body is read. What a key does for a user counts for that user; where
 * only the body names the user, it counts for the key's total until then.
 */
function countedAs(operation: Counted, caller: Caller, exchange: Exchange) {
  const counts = operation.counts as LimitedOperation;
  const total = totalOf(counts);
  if (total === undefined || caller.userId !== undefined) return { counts, subject: caller };
  if (operation.subjectField !== undefined) return { counts: total, subject: caller };
  const userId = userOf(operation, exchange);
  return { counts, subject: userId === undefined ? caller : { key: caller.key, userId } };
}

/** The user whom a request of a key names, as far as it is read. */
function userOf({ subjectField }: Counted, { raw: { params, query }, body }: Exchange): string | undefined {
  const inBody = subjectField && (body as Readonly<Record<string, unknown>> | undefined)?.[subjectField];
  const named = params['userId'] ?? query['userId'] ?? inBody;
  return typeof named === 'string' && USER_ID_PATTERN.test(named) ? named : undefined;
}

/** The secret that a request of a caller came with, of which the service stores only a hash. */
export function secretOf(exchange: Exchange): string {
  const kinds = ['bearer', 'x-api-key'] as const;
  const secret =
    kinds.map((kind) => credentialOf(kind, exchange)).find((each) => each !== undefined) ??
    sessionOf('bearer', exchange);
  if (secret === undefined) throw new Error('only requests with a credential have a secret');
  return secret;
}

/** The credential of a request; undefined if there is none. */
function credentialOf(kind: CredentialKind, { raw: { headers, body } }: Exchange): string | undefined {
  let credential: unknown;
  if (kind === 'bearer') credential = BEARER.exec(headers.authorization ?? '')?.[1];
  else if (kind === 'x-api-key') credential = headers['x-api-key'];
  else credential = clientSecretOf(headers.authorization, body);
  return typeof credential === 'string' && credential !== '' ? credential : undefined;
}

const BASIC = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i;

/**
 * The secret of an OAuth client, in the body or as the password of HTTP Basic, where it is form-encoded (RFC 6749, 2.3.1). Throws
 * `invalid_request` for both at once.
 */
function clientSecretOf(authorization: string | undefined, body: unknown): unknown {
  const inBody = (body as { client_secret?: unknown } | null | undefined)?.client_secret;
  const basic = BASIC.exec(authorization ?? '')?.[1];
  if (basic === undefined) return inBody;
  if (inBody !== undefined) {
    const message = 'The client authenticates twice; send the key in the body or by HTTP Basic.';
    throw new AppError({ code: 'invalid_request', message });
  }
  const pair = Buffer.from(basic, 'base64').toString();
  const [secret] = new URLSearchParams(
    `secret=${pair.slice(pair.indexOf(':') + 1).replaceAll('&', '%26')}`,
  ).values();
  return secret;
}

/** Compares in constant time. */
function isBearerOf(secret: string, authorization = ''): boolean {
  const given = hash('sha256', authorization, 'buffer');
  return timingSafeEqual(given, hash('sha256', `Bearer ${secret}`, 'buffer'));
}
