import { list, type Queries, raw, type Sql, sql } from '../db/sql.ts';
import type { SqlDatabase } from '../db/sql-database.ts';
import { bind, type Query, type Statement, type Writer, writeOne } from '../db/writer.ts';
import type { NamedRequest } from '../time-ordered-id.ts';
import type { Claim, ClaimRequest, IdempotencyStore, KeptAnswer, RequestName } from './idempotency-store.ts';

/**
 * Times are Unix milliseconds; the answer is null until there is one. `claimed_at_ms` is the first claim's. `headers` without a
 * `status` note that the request was carried out, together with what it wrote: see `noteOf`.
 */
export interface IdempotentRequestsTable {
  readonly tenant_id: string;
  readonly user_id: string;
  readonly idempotency_key: string;
  readonly fingerprint: Uint8Array;
  /** Whose data the answer holds; empty where it is about no user. */
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

/** Value of `claimed_until_ms` for a request that was begun and then abandoned. */
const ABANDONED = 0;

const NOTE: Query = {
  name: 'note-done',
  sql: `update idempotent_requests set headers = '{}'
    where tenant_id = $1 and user_id = $2 and idempotency_key = $3 and status is null`,
};

/** Notes, with what a named request writes, that it was carried out: see `Claim` of the idempotency store. */
export function noteOf({ tenant, userId, idempotencyKey }: NamedRequest): Statement {
  return bind(NOTE, [tenant, userId, idempotencyKey]);
}

export class SqlIdempotencyStore implements IdempotencyStore {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #createClaimId: () => string;

  constructor({
    db,
    writer,
    createClaimId,
  }: Pick<SqlDatabase, 'db' | 'writer'> & { createClaimId: () => string }) {
    this.#db = db;
    this.#writer = writer;
    this.#createClaimId = createClaimId;
  }

  /** One statement inserts, or takes over a claim that ran out or was forgotten, so that only one caller succeeds. */
  async claim(request: ClaimRequest): Promise<Claim> {
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
    // Whether a claim that takes a row over executes the same request again, and not a new one after it was forgotten.
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

  async extend(name: RequestName, claimId: string, claimedUntilMs: number): Promise<void> {
    const change = sql`
      update idempotent_requests set claimed_until_ms = ${claimedUntilMs}
      where ${isNamed(name)} and claim_id = ${claimId} and claimed_until_ms <> ${ABANDONED} and status is null`;
    await writeOne(this.#writer, change);
  }

  async settle(name: RequestName, claimId: string, { status, headers, body }: KeptAnswer): Promise<void> {
    const change = sql`
      update idempotent_requests set status = ${status}, headers = ${JSON.stringify(headers)}, body = ${body}
      where ${isNamed(name)} and claim_id = ${claimId}`;
    await writeOne(this.#writer, change);
  }

  async abandon(name: RequestName, claimId: string): Promise<void> {
    const change = sql`
      update idempotent_requests set claimed_until_ms = ${ABANDONED}
      where ${isNamed(name)} and claim_id = ${claimId} and status is null`;
    await writeOne(this.#writer, change);
  }

  async removeForgotten(forgottenMs: number, limit: number): Promise<number> {
    const removal = sql`
      delete from idempotent_requests where (tenant_id, user_id, idempotency_key) in (
        select tenant_id, user_id, idempotency_key from idempotent_requests
        where claimed_at_ms <= ${forgottenMs} limit ${limit})`;
    return (await writeOne(this.#writer, removal)).changes;
  }

  async #look(name: RequestName, fingerprint: Uint8Array): Promise<Claim> {
    const query = sql<IdempotentRequestsTable>`
      select fingerprint, status, headers, body from idempotent_requests where ${isNamed(name)}`;
    const row = await query.first(this.#db);
    // The row was removed between the two statements: the caller should ask again.
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
