import { WEBHOOK_EVENTS, WEBHOOK_QUEUE, type WebhookEvent } from '../db/writer.ts';

export { WEBHOOK_EVENTS, WEBHOOK_QUEUE, type WebhookEvent };

/** The event of deliveries that only try a webhook. */
export const TEST_EVENT = 'webhook.test';
export type DeliveredEvent = WebhookEvent | typeof TEST_EVENT;

/**
 * Why a webhook is disabled: by a request · its receiver answered 410 · nothing but failures for three days · more deliveries waited
 * than may.
 */
export const DISABLED_REASONS = ['by_request', 'gone', 'failing', 'queue_full'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An address of a tenant's that is told of events. */
export interface Webhook {
  readonly id: string;
  readonly tenant: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** Only events of this user; those of all users where it is absent. */
  readonly userId?: string;
  readonly createdAtMs: number;
  /** Present where it is disabled: nothing is queued for it, and what is queued waits. */
  readonly disabled?: { readonly reason: DisabledReason; readonly atMs: number };
  /** Since when every attempt failed. */
  readonly failingSinceMs?: number;
}

/** Secrets of a webhook that its deliveries need and nobody may see. */
export interface WebhookTarget extends Webhook {
  readonly secret: string;
  /** Signs too until this time, after a rotation. */
  readonly previous?: { readonly secret: string; readonly untilMs: number };
  /** Address at which its owner reaches this service, for addresses in what is told. */
  readonly baseUrl: string;
}

/** One event for one webhook. */
export interface Delivery {
  /** `webhook-id`, which all attempts share. */
  readonly id: string;
  readonly tenant: string;
  readonly webhookId: string;
  readonly event: DeliveredEvent;
  /** The user whom it is about; empty where it is no user's. */
  readonly userId: string;
  /** The id of the scan or food; empty for a diary. */
  readonly subject: string;
  readonly createdAtMs: number;
  /** The next attempt, or the end of the lease of one that is under way; absent once it is done. */
  readonly dueAtMs?: number;
  readonly attempts: number;
  readonly outcome?: 'succeeded' | 'failed';
  /** The latest attempt. */
  readonly attemptedAtMs?: number;
  /** HTTP status of its answer, if one came. */
  readonly responseStatus?: number;
  /** The first bytes of its answer, or why there is none. */
  readonly response?: string;
}

/** A delivery that one worker holds for a limited time. */
export interface ClaimedDelivery extends Delivery {
  /** Increases with each claim: the holder of a lower one has lost the delivery. */
  readonly fencingToken: number;
}
