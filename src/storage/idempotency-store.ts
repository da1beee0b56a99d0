import type { ExpressionBuilder } from 'kysely';
import type {
  Claim,
  ClaimRequest,
  IdempotencyStore,
  KeptAnswer,
  RequestName,
} from '../idempotency/idempotency-store.ts';
import type { NamedRequest } from '../time-ordered-id.ts';
import type { QueryBuilder, SqlDatabase, Tables } from './sql-database.ts';
import { bind, type Query, type Statement, type Writer, writeOne } from './writer.ts';

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
  readonly #db: QueryBuilder;
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
    const claim = this.#db
      .insertInto('idempotent_requests')
      .values({
        ...toColumns(name),
        subject_user_id: subjectUserId,
        fingerprint,
        claim_id: claimId,
        attempt: 1,
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
            subject_user_id: eb.ref('excluded.subject_user_id'),
            claim_id: eb.ref('excluded.claim_id'),
            attempt: eb
              .case()
              .when(isExecutedAgain(eb, fingerprint, forgottenMs))
              .then(eb('idempotent_requests.attempt', '+', 1))
              .else(1)
              .end(),
            claimed_at_ms: eb
              .case()
              .when(isExecutedAgain(eb, fingerprint, forgottenMs))
              .then(eb.ref('idempotent_requests.claimed_at_ms'))
              .else(eb.ref('excluded.claimed_at_ms'))
              .end(),
            claimed_until_ms: eb.ref('excluded.claimed_until_ms'),
            status: null,
            headers: eb
              .case()
              .when(isExecutedAgain(eb, fingerprint, forgottenMs))
              .then(eb.ref('idempotent_requests.headers'))
              .else(null)
              .end(),
            body: null,
          }))
          .where((eb) =>
            eb.or([
              eb('idempotent_requests.claimed_at_ms', '<=', forgottenMs),
              eb.and([
                eb('idempotent_requests.status', 'is', null),
                eb('idempotent_requests.claimed_until_ms', '<=', nowMs),
                eb.or([
                  eb('idempotent_requests.fingerprint', '=', fingerprint),
                  eb('idempotent_requests.claimed_until_ms', '=', ABANDONED),
                ]),
              ]),
            ]),
          ),
      )
      .returning(['attempt', 'claimed_at_ms', 'headers']);
    const [started] = (await writeOne(this.#writer, claim)).rows;
    if (started === undefined) return this.#look(name, fingerprint);
    const { attempt, claimed_at_ms: firstClaimedMs, headers } = started;
    return { kind: 'started', claimId, attempt, firstClaimedMs, isDone: headers !== null };
  }

  async extend(name: RequestName, claimId: string, claimedUntilMs: number): Promise<void> {
    const change = this.#db
      .updateTable('idempotent_requests')
      .set({ claimed_until_ms: claimedUntilMs })
      .where(isNamed(name))
      .where('claim_id', '=', claimId)
      .where('claimed_until_ms', '!=', ABANDONED)
      .where('status', 'is', null);
    await writeOne(this.#writer, change);
  }

  async settle(name: RequestName, claimId: string, { status, headers, body }: KeptAnswer): Promise<void> {
    const change = this.#db
      .updateTable('idempotent_requests')
      .set({ status, headers: JSON.stringify(headers), body })
      .where(isNamed(name))
      .where('claim_id', '=', claimId);
    await writeOne(this.#writer, change);
  }

  async abandon(name: RequestName, claimId: string): Promise<void> {
    const change = this.#db
      .updateTable('idempotent_requests')
      .set({ claimed_until_ms: ABANDONED })
      .where(isNamed(name))
      .where('claim_id', '=', claimId)
      .where('status', 'is', null);
    await writeOne(this.#writer, change);
  }

  async removeForgotten(forgottenMs: number, limit: number): Promise<number> {
    const removal = this.#db
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
      );
    return (await writeOne(this.#writer, removal)).changes;
  }

  async #look(name: RequestName, fingerprint: Uint8Array): Promise<Claim> {
    const row = await this.#db
      .selectFrom('idempotent_requests')
      .select(['fingerprint', 'status', 'headers', 'body'])
      .where(isNamed(name))
      .executeTakeFirst();
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

/** Whether a claim that takes a row over executes the same request again, and not a new one after it was forgotten. */
function isExecutedAgain(
  eb: ExpressionBuilder<Tables, 'idempotent_requests'>,
  fingerprint: Uint8Array,
  forgottenMs: number,
) {
  return eb.and([
    eb('idempotent_requests.fingerprint', '=', fingerprint),
    eb('idempotent_requests.claimed_at_ms', '>', forgottenMs),
  ]);
}

function toColumns({ tenant, userId, idempotencyKey }: RequestName) {
  return { tenant_id: tenant, user_id: userId, idempotency_key: idempotencyKey };
}

function isNamed(name: RequestName) {
  return (eb: ExpressionBuilder<Tables, 'idempotent_requests'>) => eb.and(toColumns(name));
}
