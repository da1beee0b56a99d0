import { hash, timingSafeEqual } from 'node:crypto';
import { AppError, type ErrorCode } from '@larder/core/errors.ts';
import type { Caller } from '../../access/api-key.ts';
import { andThen, type MaybePromise } from '../../base/maybe-promise.ts';
import { counted } from '../../base/texts.ts';
import { type LimitDecision, WINDOW_SECONDS } from '../../counters/counters.ts';
import type { Operation } from '../../limits/operations.ts';
import type { Limiter, LimitSubject } from '../../limits/request-limiter.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { AlsoCounted, CallerAccess, CredentialKind } from './operation.ts';

const BEARER = /^Bearer +(\S+) *$/i;

const CHALLENGE: Readonly<Record<CredentialKind, string>> = {
  bearer: 'Bearer realm="larder"',
  'x-api-key': 'ApiKey realm="larder", header="x-api-key"',
  'client-secret': 'Bearer realm="larder"',
};

const HOW_TO_SEND: Readonly<Record<CredentialKind, string>> = {
  bearer: 'Send a key or an access token as "Authorization: Bearer <credential>".',
  'x-api-key': 'Send a key in the x-api-key header.',
  'client-secret': 'Send a key as client_secret in the body.',
};

const TOKEN_CODES: readonly ErrorCode[] = ['invalid_token', 'expired_token'];

export interface GuardPorts {
  /** Finds the caller of this credential; rejects with an AppError for one that is unknown, expired or revoked. */
  readonly authenticate: (credential: string, kind: CredentialKind) => MaybePromise<Caller>;
  readonly limiter: Limiter;
  /** The clock of rate limits, Unix milliseconds. */
  readonly nowMs: () => number;
}

/**
 * The one place that decides whether a request may pass: authentication, authorisation and rate limits. It answers at
 * once where the credential is in use and the counters are of this process; it throws or rejects with the AppError that
 * refuses the request.
 */
export class Guard {
  readonly #ports: GuardPorts;

  constructor(ports: GuardPorts) {
    this.#ports = ports;
  }

  /** Where the body holds the credential, only addresses that may still guess get as far as reading it. */
  beforeBody({ access, counts }: Endpoint, exchange: Exchange): MaybePromise<void> {
    if (access === 'public') {
      if (counts === 'uncounted') return undefined;
      if (counts === 'health') return this.#count('other', { prober: exchange.address }, exchange);
      return this.#count(counts, { address: exchange.address }, exchange);
    }
    if ('secret' in access) return this.#requireSecret(access.secret, exchange);
    if (access.credential === 'client-secret') return this.#refuseExhausted(exchange);
    return this.#admitCaller(access, counts as Operation, exchange);
  }

  /** To be called once the body is there. */
  afterBody({ access, counts }: Endpoint, exchange: Exchange): MaybePromise<void> {
    if (access === 'public' || 'secret' in access || access.credential !== 'client-secret') return undefined;
    return this.#admitCaller(access, counts as Operation, exchange);
  }

  /**
   * Counts a request further, once the schemas have accepted its body. The headers stay those of `counts`, unless this refuses the
   * request or counts the same operation.
   */
  countAlso(also: AlsoCounted, { counts }: Endpoint, exchange: Exchange): MaybePromise<void> {
    const isSame = also.operation === counts;
    const times = { all: also.times, counted: isSame ? 1 : 0 };
    return andThen(this.#ports.limiter.take(also.operation, exchange.caller!, times), (decision) => {
      if (isSame || decision?.allowed === false) this.#apply(decision, exchange);
    });
  }

  /** Of a path or method that does not exist: counted by a valid credential, without one by address. */
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
  refused(exchange: Exchange): MaybePromise<void> {
    const decision = this.#ports.limiter.take('other', { address: exchange.address });
    return andThen(decision, (decided) => this.#apply(decided, exchange, true));
  }

  #admitCaller(
    access: CallerAccess,
    counts: Operation,
    exchange: Exchange,
    caller = this.#authenticate(access.credential, exchange),
  ): MaybePromise<void> {
    if (caller instanceof Promise) {
      return caller.then(
        (found) => this.#admitCaller(access, counts, exchange, found),
        (error) => this.#refuseCredential(access.credential, exchange, error),
      );
    }
    exchange.caller = caller;
    const decision = this.#ports.limiter.take(counts, caller);
    if (decision instanceof Promise) {
      return decision.then((decided) => this.#checkCaller(caller, access, decided, exchange));
    }
    return this.#checkCaller(caller, access, decision, exchange);
  }

  #checkCaller(
    caller: Caller,
    { scope }: CallerAccess,
    decision: LimitDecision | undefined,
    exchange: Exchange,
  ): void {
    this.#apply(decision, exchange);
    requireScope(caller, scope);
    // A path with a `:userId` is closed to tokens of other users, before anything is looked up.
    requireUser(caller, exchange.raw.params['userId'] as string | undefined);
  }

  async #refuseCredential(kind: CredentialKind, exchange: Exchange, error: unknown): Promise<never> {
    if (error instanceof AppError) {
      await this.#count('other', { address: exchange.address }, exchange);
      // RFC 6750, 3.1: tells a bad token apart from a missing one.
      const reason = TOKEN_CODES.includes(error.code) ? ', error="invalid_token"' : '';
      exchange.replyHeaders['www-authenticate'] = CHALLENGE[kind] + reason;
    }
    throw error;
  }

  /** Refusals are rejections. */
  #authenticate(kind: CredentialKind, { raw: { headers, body } }: Exchange): MaybePromise<Caller> {
    let credential: unknown;
    if (kind === 'bearer') credential = BEARER.exec(headers.authorization ?? '')?.[1];
    else if (kind === 'x-api-key') credential = headers['x-api-key'];
    else credential = (body as { client_secret?: unknown } | null | undefined)?.client_secret;
    if (typeof credential === 'string' && credential !== '') {
      return this.#ports.authenticate(credential, kind);
    }
    const message = `A credential is missing. ${HOW_TO_SEND[kind]}`;
    return Promise.reject(new AppError({ code: 'invalid_api_key', message }));
  }

  #count(operation: Operation, subject: LimitSubject, exchange: Exchange): MaybePromise<void> {
    return andThen(this.#ports.limiter.take(operation, subject), (decision) =>
      this.#apply(decision, exchange),
    );
  }

  /**
   * Refuses an address that has no requests without a valid credential left. It is not counted here: a request that turns
   * out to have a valid credential counts for that alone.
   */
  #refuseExhausted(exchange: Exchange): MaybePromise<void> {
    return andThen(this.#ports.limiter.peek({ address: exchange.address }), (decision) => {
      if (decision?.allowed === false) this.#apply(decision, exchange);
    });
  }

  /** Requests with the secret are not counted, all others by address. */
  #requireSecret(secret: string, exchange: Exchange): MaybePromise<void> {
    if (isBearerOf(secret, exchange.incoming.headers.authorization)) return undefined;
    return andThen(this.#count('other', { address: exchange.address }, exchange), () => {
      exchange.replyHeaders['www-authenticate'] = CHALLENGE.bearer;
      const message = 'Send the secret of this address as "Authorization: Bearer <secret>".';
      throw new AppError({ code: 'invalid_api_key', message });
    });
  }

  /** Tells the client where it stands, and refuses it where nothing is left; not where it is refused already. */
  #apply(decision: LimitDecision | undefined, exchange: Exchange, isRefused = false): void {
    if (decision === undefined) return;
    exchange.isCounted = true;
    exchange.replyHeaders['x-ratelimit-limit'] = decision.limit;
    exchange.replyHeaders['x-ratelimit-remaining'] = decision.remaining;
    exchange.replyHeaders['x-ratelimit-reset'] = decision.resetsAt;
    if (decision.allowed || isRefused) return;
    // Bounded, since the window ends by the clock of whoever counts, which may be another machine's.
    const seconds = Math.ceil(decision.resetsAt - this.#ports.nowMs() / 1000);
    const retryAfter = Math.min(WINDOW_SECONDS, Math.max(1, seconds));
    exchange.replyHeaders['retry-after'] = retryAfter;
    throw new AppError({
      code: 'rate_limit_exceeded',
      message: `Too many requests; wait ${counted(retryAfter, 'second')}.`,
      details: { retryAfter },
    });
  }
}

/** Compares in constant time. */
function isBearerOf(secret: string, authorization = ''): boolean {
  const given = hash('sha256', authorization, 'buffer');
  return timingSafeEqual(given, hash('sha256', `Bearer ${secret}`, 'buffer'));
}

/** Throws `forbidden` where the credential lacks the scope. */
export function requireScope(caller: Caller, scope: Caller['scopes'][number] | undefined): void {
  if (scope === undefined || caller.scopes.includes(scope)) return;
  throw new AppError({
    code: 'forbidden',
    message: `This needs the scope ${scope}, which the credential does not have.`,
    details: { scope },
  });
}

/** Throws `forbidden` where a token is for another user than `named`. A key may act for all users of its tenant. */
export function requireUser({ userId }: Caller, named: string | undefined): void {
  if (userId === undefined || named === undefined || named === userId) return;
  throw new AppError({ code: 'forbidden', message: 'This token is for another user.' });
}
