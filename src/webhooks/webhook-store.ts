import type { Creator } from '../access/api-key.ts';
import type { Sealed, SealedSecrets } from '../db/sealed-secrets.ts';
import { list, type Queries, raw, type Sql, sql } from '../db/sql.ts';
import type { SealingDatabase } from '../db/sql-database.ts';
import { toStatement, type Writer, writeOne } from '../db/writer.ts';
import { DISABLED_AFTER_MS } from './retry-schedule.ts';
import { type DisabledReason, MAX_PREVIOUS_SECRETS, type Webhook, type WebhookTarget } from './webhook.ts';
import { secretsOf, toTarget, toWebhook, type WebhooksTable } from './webhook-rows.ts';

/** Fields to change; absent ones are not changed. A new address or `isEnabled: true` resets the failures. */
export interface WebhookChange extends Partial<Pick<Webhook, 'url' | 'events' | 'createdBy'>> {
  readonly isEnabled?: boolean;
}

export type NewWebhook = Omit<WebhookTarget, 'previous'> & { readonly secret: string };

/** Stores webhooks. Confirmed changes are durable and visible to every later call of any thread, process or node. */
export class WebhookStore {
  readonly #db: Queries;
  readonly #writer: Writer;
  readonly #secrets: SealedSecrets;

  constructor({ db, writer, secrets }: SealingDatabase) {
    this.#db = db;
    this.#writer = writer;
    this.#secrets = secrets;
  }

  /** Returns false, without a change, if the tenant has the maximum number. */
  async add(webhook: NewWebhook, maxWebhooks: number): Promise<boolean> {
    const { tenant } = webhook;
    const row = {
      tenant_id: tenant,
      id: webhook.id,
      url: webhook.url,
      events: webhook.events.join(' '),
      user_id: webhook.userId ?? '',
      secret: this.#secrets.seal(webhook.secret, secretsOf(webhook.id)),
      base_url: webhook.baseUrl,
      created_at_ms: webhook.createdAtMs,
      created_by: webhook.createdBy ?? null,
    } satisfies Partial<WebhooksTable>;
    const insertion = sql`
      insert into webhooks (${raw(Object.keys(row).join())})
      select ${list(Object.values(row))}
      where (select count(*) from webhooks where tenant_id = ${tenant}) < ${maxWebhooks}`;
    const { changes } = await writeOne(this.#writer, insertion, { name: `webhooks of ${tenant}` });
    return changes === 1;
  }

  async find(tenant: string, id: string): Promise<Webhook | undefined> {
    const query = sql<WebhooksTable>`select * from webhooks where tenant_id = ${tenant} and id = ${id}`;
    const row = await query.first(this.#db);
    return row && toWebhook(row);
  }

  /** Returns existing ones of any tenant, in any order. */
  async targets(ids: readonly string[]): Promise<readonly WebhookTarget[]> {
    return (await this.#rows(ids)).map((row) => toTarget(row, this.#secrets));
  }

  #rows(ids: readonly string[]): Promise<readonly WebhooksTable[]> {
    return sql<WebhooksTable>`select * from webhooks where id in (${list(ids)})`.all(this.#db);
  }

  /** Seals secrets by the current secret. Those that no secret opens stay, in case it is restored. Counts webhooks. */
  async seal(): Promise<Sealed> {
    const sealed = { sealed: 0, lost: 0 };
    for (let rows = await this.#page('', SEALED_AT_ONCE); rows.length > 0; ) {
      const changes = rows.map((row) => this.#sealed(row)).filter((change) => change !== undefined);
      sealed.lost += changes.filter((change) => change === 'lost').length;
      const [first, ...others] = changes.filter((change) => change !== 'lost').map(toStatement);
      if (first !== undefined) {
        await this.#writer.write({ statements: [first, ...others], isErasure: true });
        sealed.sealed += 1 + others.length;
      }
      rows = await this.#page(rows.at(-1)!.id, SEALED_AT_ONCE);
    }
    return sealed;
  }

  /** Undefined if the current secret has sealed all secrets of the row. */
  #sealed(row: WebhooksTable): Sql | 'lost' | undefined {
    const columns = (['secret', 'previous_secret', 'older_secrets'] as const).filter((column) => {
      const stored = row[column];
      return stored !== null && !this.#secrets.isCurrent(stored);
    });
    const texts = columns.map((column) => this.#secrets.open(row[column]!, secretsOf(row.id)));
    if (columns.includes('secret') && texts[0] === undefined) return 'lost';
    const assignments = columns.flatMap((column, at) => {
      const text = texts[at];
      return text === undefined ? [] : [sql`${raw(column)} = ${this.#secrets.seal(text, secretsOf(row.id))}`];
    });
    if (assignments.length === 0) return undefined;
    return sql`update webhooks set ${list(assignments)} where id = ${row.id} and secret = ${row.secret}`;
  }

  /** Ordered by id, which is the order of creation. */
  async list(tenant: string, after: string, limit: number): Promise<readonly Webhook[]> {
    const query = sql<WebhooksTable>`
      select * from webhooks where tenant_id = ${tenant} and id > ${after} order by id limit ${limit}`;
    return (await query.all(this.#db)).map(toWebhook);
  }

  /** Returns those whose address this creator chose. */
  async listMadeBy(creator: Creator, limit: number): Promise<readonly Webhook[]> {
    const query = sql<WebhooksTable>`
      select * from webhooks where created_by = ${creator} order by id limit ${limit}`;
    return (await query.all(this.#db)).map(toWebhook);
  }

  /** Returns those of all tenants, ordered by id. */
  async listAll(after: string, limit: number): Promise<readonly Webhook[]> {
    return (await this.#page(after, limit)).map(toWebhook);
  }

  #page(after: string, limit: number): Promise<readonly WebhooksTable[]> {
    const query = sql<WebhooksTable>`select * from webhooks where id > ${after} order by id limit ${limit}`;
    return query.all(this.#db);
  }

  /** Returns the changed webhook; undefined if it does not exist. */
  async change(
    { tenant, id }: Webhook,
    { url, events, createdBy, isEnabled }: WebhookChange,
    nowMs: number,
  ): Promise<Webhook | undefined> {
    const assignments = [
      ...(url === undefined ? [] : [sql`url = ${url}`]),
      ...(createdBy === undefined ? [] : [sql`created_by = ${createdBy}`]),
      ...(events === undefined ? [] : [sql`events = ${events.join(' ')}`]),
      ...(isEnabled === true ? [ENABLED] : []),
      ...(isEnabled === false ? [disabled('by_request', nowMs)] : []),
      ...(url !== undefined || isEnabled === true ? [sql`failing_since_ms = null`] : []),
    ];
    if (assignments.length === 0) return this.find(tenant, id);
    const change = sql<WebhooksTable>`
      update webhooks set ${list(assignments)} where tenant_id = ${tenant} and id = ${id} returning *`;
    const [row] = (await writeOne(this.#writer, change)).rows;
    return row && toWebhook(row);
  }

  /** All secrets that sign at present, the replaced one until `untilMs`, keep signing. Returns false if the webhook does not exist. */
  async rotate(
    { tenant, id }: Webhook,
    secret: string,
    { nowMs, untilMs }: { readonly nowMs: number; readonly untilMs: number },
  ): Promise<boolean> {
    for (;;) {
      const [row] = await this.#rows([id]);
      if (row === undefined) return false;
      const before = toTarget(row, this.#secrets);
      const valid = before.previous.filter((each) => each.untilMs > nowMs);
      const older = valid.slice(0, MAX_PREVIOUS_SECRETS - 1);
      const seal = (text: string) => this.#secrets.seal(text, secretsOf(id));
      const rotation = sql`
        update webhooks set previous_secret = secret, previous_until_ms = ${untilMs}, secret = ${seal(secret)},
          older_secrets = ${older.length === 0 ? null : seal(JSON.stringify(older))}
        where tenant_id = ${tenant} and id = ${id} and secret = ${row.secret}`;
      // Another rotation was faster, whose secret signs from now on.
      if ((await writeOne(this.#writer, rotation)).changes === 1) return true;
    }
  }

  /** Removes it with all its deliveries. */
  async remove({ tenant, id }: Webhook): Promise<void> {
    await this.#writer.write({
      statements: [
        toStatement(sql`delete from webhooks where tenant_id = ${tenant} and id = ${id}`),
        toStatement(sql`delete from webhook_deliveries where webhook_id = ${id}`),
      ],
    });
  }

  /** Returns false if it is already disabled. */
  async disable(id: string, reason: DisabledReason, nowMs: number): Promise<boolean> {
    const change = sql`update webhooks set ${disabled(reason, nowMs)} where id = ${id} and is_enabled = 1`;
    return (await writeOne(this.#writer, change)).changes === 1;
  }

  /**
   * Records that an attempt failed, and disables the webhook after three days of failures only. Returns true
   * if it did.
   */
  async failed(id: string, nowMs: number): Promise<boolean> {
    const begin = sql`update webhooks set failing_since_ms = ${nowMs} where id = ${id} and failing_since_ms is null`;
    if ((await writeOne(this.#writer, begin.prepared('webhook-fails'))).changes === 1) return false;
    const end = sql`
      update webhooks set ${disabled('failing', nowMs)}
      where id = ${id} and is_enabled = 1 and failing_since_ms <= ${nowMs - DISABLED_AFTER_MS}`;
    return (await writeOne(this.#writer, end.prepared('webhook-failed'))).changes === 1;
  }
}

/** Webhooks whose secrets are sealed in one write. */
const SEALED_AT_ONCE = 100;

const ENABLED = sql`is_enabled = 1, disabled_at_ms = null, disabled_reason = null`;

function disabled(reason: DisabledReason, nowMs: number): Sql {
  return sql`is_enabled = 0, disabled_at_ms = ${nowMs}, disabled_reason = ${reason}`;
}
