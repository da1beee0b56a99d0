import type { Webhooks } from '../../webhooks/webhooks.ts';
import { operation } from '../operation.ts';
import {
  deliveryObject,
  deliveryParams,
  deliverySchema,
  EXAMPLE_DELIVERY,
  WEBHOOKS_TAG,
  webhooksAccess,
} from './webhook-json.ts';

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
