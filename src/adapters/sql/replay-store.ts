import type { ExpressionBuilder } from 'kysely';
import type {
  Claim,
  ClaimRequest,
  KeptAnswer,
  ReplayStore,
  RequestName,
} from '../../idempotency/replay-store.ts';
import type { QueryBuilder, SqlDatabase } from './sql-database.ts';
import type { Tables } from './tables.ts';

export class SqlReplayStore implements ReplayStore {
  readonly #db: QueryBuilder;
  readonly #createClaimId: () => string;

  constructor({ db, createClaimId }: Pick<SqlDatabase, 'db'> & { createClaimId: () => string }) {
    this.#db = db;
    this.#createClaimId = createClaimId;
  }

  /** The insertion, or the takeover of a claim that ran out or was forgotten, is one statement and so decides alone. */
  async claim({ name, fingerprint, nowMs, claimedUntilMs, forgottenMs }: ClaimRequest): Promise<Claim> {
    const claimId = this.#createClaimId();
    const started = await this.#db
      .insertInto('idempotent_requests')
      .values({
        ...toColumns(name),
        fingerprint,
        claim_id: claimId,
        claimed_at_ms: nowMs,
        claimed_until_ms: claimedUntilMs,
        status: null,
        headers: null,
        body: null,
      })
      .onConflict((conflict) =>
        conflict
          .columns(['tenant_id', 'user_id', 'idempotency_key'])
          .doUpdateSet((eb) => ({
            fingerprint: eb.ref('excluded.fingerprint'),
            claim_id: eb.ref('excluded.claim_id'),
            claimed_at_ms: eb.ref('excluded.claimed_at_ms'),
            claimed_until_ms: eb.ref('excluded.claimed_until_ms'),
            status: null,
            headers: null,
            body: null,
          }))
          .where((eb) =>
            eb.or([
              eb('idempotent_requests.claimed_at_ms', '<=', forgottenMs),
              eb.and([
                eb('idempotent_requests.status', 'is', null),
                eb('idempotent_requests.claimed_until_ms', '<=', nowMs),
                eb('idempotent_requests.fingerprint', '=', fingerprint),
              ]),
            ]),
          ),
      )
      .returning('claim_id')
      .executeTakeFirst();
    return started === undefined ? this.#look(name, fingerprint) : { kind: 'started', claimId };
  }

  async settle(name: RequestName, claimId: string, { status, headers, body }: KeptAnswer): Promise<void> {
    await this.#db
      .updateTable('idempotent_requests')
      .set({ status, headers: JSON.stringify(headers), body })
      .where(isNamed(name))
      .where('claim_id', '=', claimId)
      .execute();
  }

  async abandon(name: RequestName, claimId: string): Promise<void> {
    await this.#db
      .deleteFrom('idempotent_requests')
      .where(isNamed(name))
      .where('claim_id', '=', claimId)
      .where('status', 'is', null)
      .execute();
  }

  async removeForgotten(forgottenMs: number, limit: number): Promise<void> {
    await this.#db
      .deleteFrom('idempotent_requests')
      .where((eb) =>
        eb(
          eb.refTuple('tenant_id', 'user_id', 'idempotency_key'),
          'in',
          eb
            .selectFrom('idempotent_requests')
            .select(['tenant_id', 'user_id', 'idempotency_key'])
            .where('claimed_at_ms', '<=', forgottenMs)
            .limit(limit)
            .$asTuple('tenant_id', 'user_id', 'idempotency_key'),
        ),
      )
      .execute();
  }

  async #look(name: RequestName, fingerprint: Uint8Array): Promise<Claim> {
    const row = await this.#db
      .selectFrom('idempotent_requests')
      .select(['fingerprint', 'status', 'headers', 'body'])
      .where(isNamed(name))
      .executeTakeFirst();
    // Abandoned between the two statements: the caller asks again.
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

function isNamed(name: RequestName) {
  return (eb: ExpressionBuilder<Tables, 'idempotent_requests'>) => eb.and(toColumns(name));
}
