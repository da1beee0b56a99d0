/** Ids are compared byte by byte, as SQLite does. */
const ID = 'text collate "C" not null';

export const WEBHOOK_TABLES = {
  /**
   * Secrets are sealed, see `SealedSecrets`. `older_secrets` is JSON: those before the previous one that still sign. `events` are
   * separated by spaces. `user_id` is '' for all users.
   */
  webhooks: {
    columns: [
      'tenant_id text not null',
      `id ${ID}`,
      'url text not null',
      'events text not null',
      'user_id text not null',
      'secret text not null',
      'previous_secret text',
      'previous_until_ms bigint',
      'base_url text not null',
      'created_at_ms bigint not null',
      'is_enabled integer not null default 1',
      'disabled_at_ms bigint',
      'disabled_reason text',
      'failing_since_ms bigint',
      'older_secrets text',
      // Who knows the secret and chose the address; see `Creator`.
      'created_by text collate "C"',
    ],
    key: 'tenant_id, id',
    isLong: true,
    indexes: [
      'unique index webhooks_by_id on webhooks (id)',
      'index webhooks_by_creator on webhooks (created_by) where created_by is not null',
    ],
  },
  /**
   * `due_at_ms` is null after the delivery. A delivery that was never claimed also covers later changes; see
   * `DeliveryStore`.
   */
  webhook_deliveries: {
    columns: [
      'tenant_id text not null',
      `webhook_id ${ID}`,
      `id ${ID}`,
      'event text not null',
      'user_id text not null',
      'subject text not null',
      'created_at_ms bigint not null',
      'queued_at_ms bigint not null',
      'due_at_ms bigint',
      'is_leased integer not null default 0',
      'attempts integer not null default 0',
      'fencing_token integer not null default 0',
      'outcome text',
      'attempted_at_ms bigint',
      'response_status integer',
      'response text',
      'forget_after_ms bigint',
    ],
    key: 'webhook_id, id',
    isLong: true,
    indexes: [
      `unique index webhook_deliveries_unclaimed on webhook_deliveries (webhook_id, event, user_id, subject)
        where fencing_token = 0 and due_at_ms is not null`,
      'index webhook_deliveries_due on webhook_deliveries (webhook_id, due_at_ms, id) where due_at_ms is not null',
      'index webhook_deliveries_queued on webhook_deliveries (queued_at_ms) where due_at_ms is not null',
      'index webhook_deliveries_to_forget on webhook_deliveries (forget_after_ms) where forget_after_ms is not null',
      "index webhook_deliveries_by_user on webhook_deliveries (tenant_id, user_id) where user_id <> ''",
    ],
  },
};
