import type { NamedRequest } from '../base/time-ordered-id.ts';
import { list, type Queries, raw, type Sql, sql } from '../db/sql.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import { type Statement, toStatement, type Writer, writeOne } from '../db/writer.ts';

/** Identifies a request: with another tenant or user, the same Idempotency-Key identifies another request. */
export type RequestName = NamedRequest;

/** The stored response to a request. */
export interface StoredResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface RequestToClaim {
  readonly name: RequestName;
  /** The user whose data the response contains; empty if there is none. */
  readonly subjectUserId: string;
  /** SHA-256 of the request's method, address and body, 32 bytes. */
  readonly fingerprint: Uint8Array;
  readonly nowMs: number;
  /**
   * Time after which others may take over from a caller that has neither settled nor extended its claim,
   * because it must have crashed.
   */
  readonly claimedUntilMs: number;
  /** Requests that were first claimed before this time are forgotten. */
  readonly forgottenMs: number;
}

export type RequestClaim =
  /**
   * The caller must execute the request; `claimId` distinguishes its claim from later ones. `attempt` is
   * above 1 if an earlier caller, first at `firstClaimedMs`, has begun to execute the same request and may
   * have had an effect; `isDone` if the effect was recorded together with its writes.
   */
  | {
      readonly kind: 'started';
      readonly claimId: string;
      readonly attempt: number;
      readonly firstClaimedMs: number;
      readonly isDone: boolean;
    }
  /** Another caller is executing it. */
  | { readonly kind: 'running' }
  | { readonly kind: 'answered'; readonly answer: StoredResponse }
  /** The name was used for a request with another fingerprint. */
  | { readonly kind: 'other' };

/**
 * Times are Unix milliseconds; the response is null until it is stored. `claimed_at_ms` is the time of the
 * first claim. `headers` without a `status` record that the request was executed, together with its writes:
 * see `noteOf`.
 */
export interface IdempotentRequestsTable {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly idempotency_key: string;
  readonly fingerprint: Uint8Array;
  /** The user whose data the response contains; empty if there is none. */
  readonly subject_user_id: string;
  readonly claim_id: string;
  /** Executions that began under this name and fingerprint. */
  readonly attempt: number;
  readonly claimed_at_ms: number;
  readonly claimed_until_ms: number;
  readonly status: number | null;
  /** JSON. */
  readonly headers: string | null;
  readonly body: string | null;
}

/** Value of `claimed_until_ms` for an abandoned request. */
const ABANDONED = 0;

/**
 * Records, together with the writes of a request, that it was executed: see `RequestClaim` of the idempotency
 * store.
 */
export function noteOf(request: NamedRequest): Statement {
  const note = sql`update idempotent_requests set headers = '{}' where ${isNamed(request)} and status is null`;
  return toStatement(note.prepared('note-done'));
}

/**
 * Stores the responses to requests with an idempotency key. Writes are durable and visible to every later
 * call when a method returns, in any thread, process or node.
 */
export class IdempotencyStore {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #createClaimId: () => string;

  constructor({ db, writer, createClaimId }: SqlDatabase & { createClaimId: () => string }) {
    this.#db = db;
    this.#writer = writer;
    this.#createClaimId = createClaimId;
  }

  /**
   * Claims the request for one of several concurrent callers; another one may claim it after that claim has
   * expired.
   */
  async claim(request: RequestToClaim): Promise<RequestClaim> {
    const { name, subjectUserId, fingerprint, nowMs, claimedUntilMs, forgottenMs } = request;
    const claimId = this.#createClaimId();
    const row = {
      ...toColumns(name),
      subject_user_id: subjectUserId,
      fingerprint,
      claim_id: claimId,
      attempt: 1,
      claimed_at_ms: nowMs,
      claimed_until_ms: claimedUntilMs,
    };
    // Whether a claim that takes over a row executes the same request again, and not a new one after the row
    // has expired.
    const isAgain = sql`kept.fingerprint = ${fingerprint} and kept.claimed_at_ms > ${forgottenMs}`;
    const claim = sql<Pick<IdempotentRequestsTable, 'attempt' | 'claimed_at_ms' | 'headers'>>`
      insert into idempotent_requests as kept (${raw(Object.keys(row).join())})
      values (${list(Object.values(row))})
      on conflict (tenant_id, user_id, idempotency_key) do update set
        fingerprint = excluded.fingerprint,
        subject_user_id = excluded.subject_user_id,
        claim_id = excluded.claim_id,
        attempt = case when ${isAgain} then kept.attempt + 1 else 1 end,
        claimed_at_ms = case when ${isAgain} then kept.claimed_at_ms else excluded.claimed_at_ms end,
        claimed_until_ms = excluded.claimed_until_ms,
        status = null,
        headers = case when ${isAgain} then kept.headers end,
        body = null
      where kept.claimed_at_ms <= ${forgottenMs}
        or (kept.status is null and kept.claimed_until_ms <= ${nowMs}
          and (kept.fingerprint = ${fingerprint} or kept.claimed_until_ms = ${ABANDONED}))
      returning attempt, claimed_at_ms, headers`;
    const [started] = (await writeOne(this.#writer, claim)).rows;
    if (started === undefined) return this.#look(name, fingerprint);
    const { attempt, claimed_at_ms: firstClaimedMs, headers } = started;
    return { kind: 'started', claimId, attempt, firstClaimedMs, isDone: headers !== null };
  }

  /** Extends the claim. Does nothing if it was settled, abandoned or taken over. */
  async extend(name: RequestName, claimId: string, claimedUntilMs: number): Promise<void> {
    const change = sql`
      update idempotent_requests set claimed_until_ms = ${claimedUntilMs}
      where ${isNamed(name)} and claim_id = ${claimId} and claimed_until_ms <> ${ABANDONED} and status is null`;
    await writeOne(this.#writer, change);
  }

  /** Stores the response. Does nothing if another claim took over. */
  async settle(name: RequestName, claimId: string, { status, headers, body }: StoredResponse): Promise<void> {
    const change = sql`
      update idempotent_requests set status = ${status}, headers = ${JSON.stringify(headers)}, body = ${body}
      where ${isNamed(name)} and claim_id = ${claimId}`;
    await writeOne(this.#writer, change);
  }

  /** Lets another caller execute the request. Does nothing if another claim took over. */
  async abandon(name: RequestName, claimId: string): Promise<void> {
    const change = sql`
      update idempotent_requests set claimed_until_ms = ${ABANDONED}
      where ${isNamed(name)} and claim_id = ${claimId} and status is null`;
    await writeOne(this.#writer, change);
  }

  /** Removes up to `limit` requests that were first claimed before this time, and returns their number. */
  async removeForgotten(forgottenMs: number, limit: number): Promise<number> {
    const removal = sql`
      delete from idempotent_requests where (tenant_id, user_id, idempotency_key) in (
        select tenant_id, user_id, idempotency_key from idempotent_requests
        where claimed_at_ms <= ${forgottenMs} limit ${limit})`;
    return (await writeOne(this.#writer, removal)).changes;
  }

  async #look(name: RequestName, fingerprint: Uint8Array): Promise<RequestClaim> {
    const query = sql<IdempotentRequestsTable>`
      select fingerprint, status, headers, body from idempotent_requests where ${isNamed(name)}`;
    const row = await query.first(this.#db);
    // The row was removed between the two statements: the caller should try again.
    if (row === undefined) return { kind: 'running' };
    if (Buffer.compare(row.fingerprint, fingerprint) !== 0) return { kind: 'other' };
    if (row.status === null) return { kind: 'running' };
    return {
      kind: 'answered',
      answer: { status: row.status, headers: JSON.parse(row.headers!), body: row.body! },
    };
  }
}

function toColumns({ tenant, userId, idempotencyKey }: RequestName) {
  return { tenant_id: tenant, user_id: userId, idempotency_key: idempotencyKey };
}

function isNamed({ tenant, userId, idempotencyKey }: RequestName): Sql {
  return sql`tenant_id = ${tenant} and user_id = ${userId} and idempotency_key = ${idempotencyKey}`;
}
