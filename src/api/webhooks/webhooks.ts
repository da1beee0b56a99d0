import { z } from 'zod';
import { creatorOf } from '../../access/creator.ts';
import { DELIVERY_ID_FORM, WEBHOOK_ID_FORM, type Webhooks } from '../../webhooks/webhooks.ts';
import { requireUser } from '../acting-user.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { pageQueryOf } from '../list-queries.ts';
import { pageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { userIdText } from '../text-schemas.ts';
import {
  deliveryObject,
  deliveryParams,
  deliverySchema,
  EXAMPLE_DELIVERY,
  EXAMPLE_ISSUED_WEBHOOK,
  EXAMPLE_WEBHOOK,
  eventsInput,
  issuedWebhookObject,
  issuedWebhookSchema,
  OVERLAP_HOURS,
  readableEvents,
  SECRET_NOTE,
  urlInput,
  WEBHOOKS_TAG,
  webhookObject,
  webhookParams,
  webhookSchema,
  webhooksAccess,
} from './webhook-json.ts';

export const listWebhooks = operation({
  method: 'GET',
  path: '/v1/webhooks',
  id: 'listWebhooks',
  tag: WEBHOOKS_TAG,
  summary: 'List webhooks in the order of their creation',
  access: webhooksAccess,
  counts: 'other',
  query: pageQueryOf(WEBHOOK_ID_FORM),
  answer: {
    description: 'The webhooks of the tenant, without their secrets.',
    headers: ['Link'],
    schema: z.array(webhookSchema),
    example: [EXAMPLE_WEBHOOK],
  },
  handle: ({ caller, query }, { webhooks }: { webhooks: Webhooks }) =>
    pageOf(query, (page) => webhooks.list(caller.tenant, page), webhookObject),
});

export const getWebhook = operation({
  method: 'GET',
  path: '/v1/webhooks/:webhookId',
  id: 'getWebhook',
  tag: WEBHOOKS_TAG,
  summary: 'Read a webhook',
  access: webhooksAccess,
  counts: 'other',
  params: webhookParams,
  answer: {
    description: 'The webhook, without its secret.',
    schema: webhookSchema,
    example: EXAMPLE_WEBHOOK,
  },
  errors: ['webhook_not_found'],
  handle: async ({ caller, params }, { webhooks }: { webhooks: Webhooks }) => ({
    value: webhookObject(await webhooks.get(caller.tenant, params.webhookId)),
  }),
});

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

export const deleteWebhook = operation({
  method: 'DELETE',
  path: '/v1/webhooks/:webhookId',
  id: 'deleteWebhook',
  tag: WEBHOOKS_TAG,
  summary: 'Delete a webhook with its deliveries',
  access: webhooksAccess,
  counts: 'other',
  params: webhookParams,
  answer: { status: 204, description: 'It is deleted. A delivery that is being sent may still arrive.' },
  errors: ['webhook_not_found'],
  handle: async ({ caller, params }, { webhooks }: { webhooks: Webhooks }) => {
    await webhooks.remove(caller.tenant, params.webhookId);
  },
});

export const rotateWebhook = operation({
  method: 'POST',
  path: '/v1/webhooks/:webhookId/rotate',
  id: 'rotateWebhook',
  tag: WEBHOOKS_TAG,
  summary: 'Give a webhook another secret',
  description: `For ${OVERLAP_HOURS} hours deliveries are also signed by the secrets before, at most ten. ${SECRET_NOTE}`,
  access: webhooksAccess,
  counts: 'other',
  params: webhookParams,
  answer: {
    description: 'The webhook with its new secret.',
    schema: issuedWebhookSchema,
    example: EXAMPLE_ISSUED_WEBHOOK,
    holdsSecret: true,
  },
  errors: ['webhook_not_found'],
  handle: async ({ caller, params }, { webhooks }: { webhooks: Webhooks }) => ({
    value: issuedWebhookObject(await webhooks.rotate(caller.tenant, params.webhookId)),
  }),
});

export const testWebhook = operation({
  method: 'POST',
  path: '/v1/webhooks/:webhookId/test',
  id: 'testWebhook',
  tag: WEBHOOKS_TAG,
  summary: 'Send a delivery of the type webhook.test',
  description: 'Its `data` is empty. Whether it arrived is in the list of deliveries.',
  access: webhooksAccess,
  counts: 'other',
  params: webhookParams,
  answer: {
    status: 201,
    description: 'The delivery, which is sent at once.',
    schema: deliverySchema,
    example: { ...EXAMPLE_DELIVERY, type: 'webhook.test' },
  },
  errors: ['webhook_not_found', 'conflict'],
  handle: async ({ caller, params }, { webhooks }: { webhooks: Webhooks }) => ({
    value: deliveryObject(await webhooks.test(caller.tenant, params.webhookId)),
  }),
});

export const listDeliveries = operation({
  method: 'GET',
  path: '/v1/webhooks/:webhookId/deliveries',
  id: 'listDeliveries',
  tag: WEBHOOKS_TAG,
  summary: 'List the deliveries of a webhook, newest first',
  description: 'Those that succeeded are kept for a day, those that failed for seven days.',
  access: webhooksAccess,
  counts: 'other',
  params: webhookParams,
  query: pageQueryOf(DELIVERY_ID_FORM),
  answer: {
    description: 'The deliveries, without what they tell.',
    headers: ['Link'],
    schema: z.array(deliverySchema),
    example: [EXAMPLE_DELIVERY],
  },
  errors: ['webhook_not_found'],
  handle: ({ caller, params, query }, { webhooks }: { webhooks: Webhooks }) =>
    pageOf(query, (page) => webhooks.deliveries(caller.tenant, params.webhookId, page), deliveryObject),
});

export const redeliver = operation({
  method: 'POST',
  path: '/v1/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
  id: 'redeliver',
  tag: WEBHOOKS_TAG,
  summary: 'Send a delivery again',
  description:
    'At once, with the same `webhook-id` and what there is to tell then; it gets all attempts anew.',
  access: webhooksAccess,
  counts: 'other',
  params: deliveryParams,
  answer: { description: 'The delivery.', schema: deliverySchema, example: EXAMPLE_DELIVERY },
  errors: ['webhook_not_found', 'delivery_not_found', 'conflict'],
  handle: async ({ caller, params }, { webhooks }: { webhooks: Webhooks }) => ({
    value: deliveryObject(await webhooks.redeliver(caller.tenant, params.webhookId, params.deliveryId)),
  }),
});
