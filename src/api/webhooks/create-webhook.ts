import { z } from 'zod';
import { creatorOf } from '../../access/creator.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { requireUser } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import { userIdText } from '../text-schemas.ts';
import {
  EXAMPLE_ISSUED_WEBHOOK,
  EXAMPLE_WEBHOOK,
  eventsInput,
  issuedWebhookObject,
  issuedWebhookSchema,
  readableEvents,
  SECRET_NOTE,
  urlInput,
  WEBHOOKS_TAG,
  webhooksAccess,
} from './webhook-json.ts';

const newWebhookSchema = z
  .strictObject({
    url: urlInput,
    events: eventsInput,
    userId: userIdText.optional().describe('Only events of this user; erasing the user deletes the webhook.'),
  })
  .meta({ id: 'WebhookInput' });

export const createWebhook = operation({
  method: 'POST',
  path: '/v1/webhooks',
  id: 'createWebhook',
  tag: WEBHOOKS_TAG,
  summary: 'Create a webhook',
  description: `It is told of what happens from then on. ${SECRET_NOTE}`,
  access: webhooksAccess,
  counts: 'other',
  body: {
    schema: newWebhookSchema,
    example: { url: EXAMPLE_WEBHOOK.url, events: EXAMPLE_WEBHOOK.events },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The webhook with its secret.',
    headers: ['Location'],
    schema: issuedWebhookSchema,
    example: EXAMPLE_ISSUED_WEBHOOK,
    holdsSecret: true,
  },
  errors: ['quota_exceeded'],
  handle: async ({ caller, body, baseUrl }, { webhooks }: { webhooks: Webhooks }) => {
    requireUser(caller, body.userId, 'read');
    const events = readableEvents(caller, body.events);
    const issued = await webhooks.create(caller.tenant, {
      ...body,
      events,
      createdBy: creatorOf(caller),
      baseUrl,
    });
    return { value: issuedWebhookObject(issued), created: issued.webhook.id };
  },
});
