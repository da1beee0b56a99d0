import type { Webhooks } from '../../webhooks/webhooks.ts';
import { operation } from '../operation.ts';
import {
  deliveryObject,
  deliverySchema,
  EXAMPLE_DELIVERY,
  WEBHOOKS_TAG,
  webhookParams,
  webhooksAccess,
} from './webhook-json.ts';

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
