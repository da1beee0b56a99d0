import type { Creator } from '../access/api-key.ts';
import { WEBHOOK_EVENTS, WEBHOOK_QUEUE, type WebhookEvent } from '../db/writer.ts';

export { WEBHOOK_EVENTS, WEBHOOK_QUEUE, type WebhookEvent };

/** The event of test deliveries. */
export const TEST_EVENT = 'webhook.test';
export type DeliveredEvent = WebhookEvent | typeof TEST_EVENT;

/**
 * Reason for which a webhook is disabled: by a request · its receiver answered 410 · only failures for three
 * days · too many waiting deliveries.
 */
export const DISABLED_REASONS = ['by_request', 'gone', 'failing', 'queue_full'] as const;
export type DisabledReason = (typeof DISABLED_REASONS)[number];

/** An address of a tenant that is notified of events. */
export interface Webhook {
  readonly id: string;
  readonly tenant: string;
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  /** Only events of this user; absent for those of all users. */
  readonly userId?: string;
  readonly createdAtMs: number;
  /** Who chose the address; absent for webhooks from before this was kept. */
  readonly createdBy?: Creator;
  /** Present if it is disabled: nothing is queued for it, and queued deliveries wait. */
  readonly disabled?: { readonly reason: DisabledReason; readonly atMs: number };
  /** Time since which every attempt has failed. */
  readonly failingSinceMs?: number;
}

/** A secret that also signs for a time after a rotation: a client whose response was lost still has it. */
export interface PreviousSecret {
  readonly secret: string;
  readonly untilMs: number;
}

/** Maximum previous secrets that sign; of more, the newest do. It bounds the header of signatures. */
export const MAX_PREVIOUS_SECRETS = 10;

/** Secrets of a webhook for its deliveries, which nobody may see. */
export interface WebhookTarget extends Webhook {
  /** Absent if the secret that sealed it is gone: nothing is sent until a rotation. */
  readonly secret?: string;
  /** Secrets before it, newest first. */
  readonly previous: readonly PreviousSecret[];
  /** Base URL by which its owner reaches this service, for URLs in deliveries. */
  readonly baseUrl: string;
}

/** One event for one webhook. */
export interface Delivery {
  /** `webhook-id`, which all attempts share. */
  readonly id: string;
  readonly tenant: string;
  readonly webhookId: string;
  readonly event: DeliveredEvent;
  /** The user of the event; empty if it belongs to no user. */
  readonly userId: string;
  /** The id of the scan or food; empty for a diary. */
  readonly subject: string;
  readonly createdAtMs: number;
  /** The next attempt, or the end of the lease of a running one; absent once it is done. */
  readonly dueAtMs?: number;
  readonly attempts: number;
  readonly outcome?: 'succeeded' | 'failed';
  /** The latest attempt. */
  readonly attemptedAtMs?: number;
  /** HTTP status of its response, if there was one. */
  readonly responseStatus?: number;
  /** The first bytes of its response, or why there is none. */
  readonly response?: string;
}

/** A delivery that one worker holds for a limited time. */
export interface ClaimedDelivery extends Delivery {
  /** Increases with each claim: the holder of a lower one has lost the delivery. */
  readonly fencingToken: number;
}
