import { z } from 'zod';
import type { Caller } from '../../access/api-key.ts';
import { isOperator } from '../../access/grants.ts';
import {
  type Delivery,
  DISABLED_REASONS,
  TEST_EVENT,
  WEBHOOK_EVENTS,
  type Webhook,
  type WebhookEvent,
} from '../../webhooks/webhook.ts';
import { type IssuedWebhook, OVERLAP_MS } from '../../webhooks/webhooks.ts';
import { creatorObject, creatorSchema } from '../access/key-json.ts';
import { requireScope } from '../acting-user.ts';
import { isoTime } from '../fields.ts';
import { userIdText } from '../text-schemas.ts';
import { EVENTS } from './events.ts';

const MAX_URL_LENGTH = 2_048;

export const SECRET_NOTE =
  'The secret is shown this once. Its answer is not kept, so an Idempotency-Key has no effect.';

export const eventSchema = z.enum(WEBHOOK_EVENTS).meta({ id: 'WebhookEventType' });

export const urlInput = z
  .string()
  .min(1)
  .max(MAX_URL_LENGTH)
  .regex(/^https?:\/\/[!-~]+$/i, 'must be an https: address')
  .describe('An `https:` address on the internet, or of a network that the operator allows.')
  .meta({ example: 'https://app.example.com/hooks/larder' });

export const eventsInput = z
  .array(eventSchema)
  .min(1)
  .max(WEBHOOK_EVENTS.length)
  .describe('Each needs the scope that reads it: `scan`, `diary:read` or `foods:read`.');

export const webhookSchema = z
  .object({
    id: z.string(),
    tenant: z.string(),
    url: z.string(),
    events: z.array(eventSchema),
    userId: userIdText.optional().describe('Only events of this user.'),
    createdAt: z.iso.datetime(),
    createdBy: creatorSchema
      .optional()
      .describe('Who chose the address; absent for webhooks from before version 1.0.0.'),
    isEnabled: z.boolean(),
    disabledAt: z.iso.datetime().optional(),
    disabledReason: z
      .enum(DISABLED_REASONS)
      .optional()
      .describe(
        'Why it is disabled: by a request; `gone`: it answered 410; `failing`: nothing but failures for three days; ' +
          '`queue_full`: more than 10,000 deliveries waited.',
      ),
    firstFailedAt: z.iso.datetime().optional().describe('Since when every attempt has failed.'),
  })
  .meta({ id: 'Webhook' });

export const issuedWebhookSchema = webhookSchema
  .extend({ secret: z.string().describe('Signs deliveries. Shown this once.') })
  .meta({ id: 'IssuedWebhook' });

export const deliverySchema = z
  .object({
    id: z.string().describe('The `webhook-id` of all its attempts.'),
    type: z.enum([...WEBHOOK_EVENTS, TEST_EVENT]),
    userId: z.string().optional(),
    subject: z.string().optional().describe('Id of the scan or food.'),
    createdAt: z.iso.datetime().describe('When it happened.'),
    status: z.enum(['queued', 'succeeded', 'failed']),
    attempts: z.int().min(0),
    attemptedAt: z.iso.datetime().optional().describe('The latest attempt.'),
    nextAttemptAt: z.iso.datetime().optional(),
    responseStatus: z.int().optional().describe('HTTP status of the latest attempt, if an answer came.'),
    response: z.string().optional().describe('The first 500 bytes of the answer, or why there is none.'),
  })
  .meta({ id: 'WebhookDelivery' });

export const EXAMPLE_WEBHOOK = {
  id: '01KG9V4N00000000000000EXMP',
  tenant: 'default',
  url: 'https://app.example.com/hooks/larder',
  events: ['scan.completed', 'scan.failed', 'diary.changed'],
  createdAt: '2026-01-01T00:00:00.000Z',
  isEnabled: true,
};
export const EXAMPLE_ISSUED_WEBHOOK = { ...EXAMPLE_WEBHOOK, secret: 'whsec_…' };
export const EXAMPLE_DELIVERY = {
  id: '019b76da2c8012c3a1f04e5d6b7a8c9d',
  type: 'diary.changed',
  userId: 'user-1',
  createdAt: '2026-01-01T00:00:00.000Z',
  status: 'queued',
  attempts: 1,
  attemptedAt: '2026-01-01T00:00:00.100Z',
  nextAttemptAt: '2026-01-01T00:00:05.100Z',
  responseStatus: 503,
  response: 'try later',
};
export const OVERLAP_HOURS = OVERLAP_MS / 3_600_000;

/** Removes repeated events. Throws `forbidden` for one that the key may not read; operators choose all. */
export function readableEvents(caller: Caller, events: readonly WebhookEvent[]): readonly WebhookEvent[] {
  if (!isOperator(caller)) for (const event of events) requireScope(caller, EVENTS[event].scope);
  return [...new Set(events)];
}

export function webhookObject(webhook: Webhook) {
  const { id, tenant, url, events, userId, createdAtMs, createdBy, disabled, failingSinceMs } = webhook;
  return {
    id,
    tenant,
    url,
    events,
    userId,
    createdAt: isoTime(createdAtMs),
    createdBy: creatorObject(createdBy),
    isEnabled: disabled === undefined,
    disabledAt: disabled && isoTime(disabled.atMs),
    disabledReason: disabled?.reason,
    firstFailedAt: failingSinceMs === undefined ? undefined : isoTime(failingSinceMs),
  };
}

export function issuedWebhookObject({ webhook, secret }: IssuedWebhook) {
  return { ...webhookObject(webhook), secret };
}

export function deliveryObject(delivery: Delivery) {
  const { id, event, userId, subject, createdAtMs, dueAtMs, attempts, outcome, attemptedAtMs } = delivery;
  return {
    id,
    type: event,
    userId: userId === '' ? undefined : userId,
    subject: subject === '' || event === TEST_EVENT ? undefined : subject,
    createdAt: isoTime(createdAtMs),
    status: outcome ?? 'queued',
    attempts,
    attemptedAt: attemptedAtMs === undefined ? undefined : isoTime(attemptedAtMs),
    nextAttemptAt: dueAtMs === undefined ? undefined : isoTime(dueAtMs),
    responseStatus: delivery.responseStatus,
    response: delivery.response,
  };
}
