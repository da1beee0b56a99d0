import { z } from 'zod';
import { creatorOf } from '../../access/creator.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import {
  EXAMPLE_WEBHOOK,
  eventsInput,
  readableEvents,
  urlInput,
  WEBHOOKS_TAG,
  webhookObject,
  webhookParams,
  webhookSchema,
  webhooksAccess,
} from './webhook-json.ts';

const webhookChangeSchema = z
  .strictObject({
    url: urlInput.optional(),
    events: eventsInput.optional(),
    isEnabled: z
      .boolean()
      .optional()
      .describe(
        'While it is disabled nothing is queued for it. What waits is sent when it is enabled again.',
      ),
  })
  .meta({ id: 'WebhookPatch' });

export const changeWebhook = operation({
  method: 'PATCH',
  path: '/v1/webhooks/:webhookId',
  id: 'changeWebhook',
  tag: WEBHOOKS_TAG,
  summary: 'Change a webhook, disable it, or enable it again',
  access: webhooksAccess,
  counts: 'other',
  params: webhookParams,
  body: { schema: webhookChangeSchema, example: { isEnabled: true }, limit: BODY_LIMITS.fields },
  answer: { description: 'The webhook as it is now.', schema: webhookSchema, example: EXAMPLE_WEBHOOK },
  errors: ['webhook_not_found'],
  handle: async ({ caller, params, body }, { webhooks }: { webhooks: Webhooks }) => {
    const { url, isEnabled } = body;
    const events = body.events && readableEvents(caller, body.events);
    const change = {
      ...(url !== undefined && { url, createdBy: creatorOf(caller) }),
      ...(events !== undefined && { events }),
      ...(isEnabled !== undefined && { isEnabled }),
    };
    return { value: webhookObject(await webhooks.change(caller.tenant, params.webhookId, change)) };
  },
});
