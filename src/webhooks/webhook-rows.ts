import type { Creator } from '../access/api-key.ts';
import type { SealedSecrets } from '../db/sealed-secrets.ts';
import type {
  ClaimedDelivery,
  DeliveredEvent,
  Delivery,
  DisabledReason,
  PreviousSecret,
  Webhook,
  WebhookEvent,
  WebhookTarget,
} from './webhook.ts';

export interface WebhooksTable {
  readonly tenant_id: string;
  readonly id: string;
  readonly url: string;
  /** Separated by spaces. */
  readonly events: string;
  /** Empty for all users. */
  readonly user_id: string;
  /** Sealed, as are those below. */
  readonly secret: string;
  readonly previous_secret: string | null;
  readonly previous_until_ms: number | null;
  /** JSON, sealed as a whole. */
  readonly older_secrets: string | null;
  readonly base_url: string;
  readonly created_at_ms: number;
  readonly is_enabled: number;
  readonly disabled_at_ms: number | null;
  readonly disabled_reason: DisabledReason | null;
  readonly failing_since_ms: number | null;
  readonly created_by: Creator | null;
}

export interface DeliveriesTable {
  readonly tenant_id: string;
  readonly webhook_id: string;
  readonly id: string;
  readonly event: DeliveredEvent;
  readonly user_id: string;
  readonly subject: string;
  readonly created_at_ms: number;
  readonly queued_at_ms: number;
  readonly due_at_ms: number | null;
  readonly is_leased: number;
  readonly attempts: number;
  readonly fencing_token: number;
  readonly outcome: Delivery['outcome'] | null;
  readonly attempted_at_ms: number | null;
  readonly response_status: number | null;
  readonly response: string | null;
  readonly forget_after_ms: number | null;
}

export function toWebhook(row: WebhooksTable): Webhook {
  return {
    id: row.id,
    tenant: row.tenant_id,
    url: row.url,
    events: row.events.split(' ') as WebhookEvent[],
    ...(row.user_id !== '' && { userId: row.user_id }),
    createdAtMs: row.created_at_ms,
    ...(row.created_by !== null && { createdBy: row.created_by }),
    ...(row.is_enabled === 0 && { disabled: { reason: row.disabled_reason!, atMs: row.disabled_at_ms! } }),
    ...(row.failing_since_ms !== null && { failingSinceMs: row.failing_since_ms }),
  };
}

/** Secrets that cannot be opened are left out. */
export function toTarget(row: WebhooksTable, secrets: SealedSecrets): WebhookTarget {
  const open = (stored: string | null) =>
    stored === null ? undefined : secrets.open(stored, secretsOf(row.id));
  const [secret, previous, older] = [row.secret, row.previous_secret, row.older_secrets].map(open);
  return {
    ...toWebhook(row),
    ...(secret !== undefined && { secret }),
    baseUrl: row.base_url,
    previous: [
      ...(previous === undefined ? [] : [{ secret: previous, untilMs: row.previous_until_ms! }]),
      ...(older === undefined ? [] : (JSON.parse(older) as PreviousSecret[])),
    ],
  };
}

/** All secrets of a webhook are sealed for it, whatever their column: a rotation moves them. */
export function secretsOf(id: string): string {
  return `webhooks ${id} secrets`;
}

export function toDelivery(row: DeliveriesTable): Delivery {
  return {
    id: row.id,
    tenant: row.tenant_id,
    webhookId: row.webhook_id,
    event: row.event,
    userId: row.user_id,
    subject: row.subject,
    createdAtMs: row.created_at_ms,
    ...(row.due_at_ms !== null && { dueAtMs: row.due_at_ms }),
    attempts: row.attempts,
    ...(row.outcome !== null && { outcome: row.outcome! }),
    ...(row.attempted_at_ms !== null && { attemptedAtMs: row.attempted_at_ms }),
    ...(row.response_status !== null && { responseStatus: row.response_status }),
    ...(row.response !== null && { response: row.response }),
  };
}

export function toClaimed(row: DeliveriesTable): ClaimedDelivery {
  return { ...toDelivery(row), fencingToken: row.fencing_token };
}
