import { z } from 'zod';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import {
  deliveryObject,
  deliveryParams,
  deliverySchema,
  EXAMPLE_DELIVERY,
  EXAMPLE_WEBHOOK,
  webhookObject,
  webhookParams,
  webhookSchema,
} from '../webhooks/webhook-json.ts';
import { OPERATOR_TAG, operatorAccess } from './operator-parts.ts';

export const changeAnyWebhook = operation({
  method: 'PATCH',
  path: '/v1/operator/webhooks/:webhookId',
  id: 'changeAnyWebhook',
  tag: OPERATOR_TAG,
  summary: 'Disable a webhook of any tenant, or enable it again, such as one that was given up',
  access: operatorAccess,
  counts: 'other',
  params: webhookParams,
  body: {
    schema: z
      .strictObject({ isEnabled: z.boolean().describe('What waits is sent when it is enabled again.') })
      .meta({ id: 'OperatorWebhookPatch' }),
    example: { isEnabled: true },
    limit: BODY_LIMITS.fields,
  },
  answer: { description: 'The webhook as it is now.', schema: webhookSchema, example: EXAMPLE_WEBHOOK },
  errors: ['not_found'],
  handle: async ({ params: { webhookId }, body }, { webhooks }: { webhooks: Webhooks }) => ({
    value: webhookObject(await webhooks.change(await webhooks.tenantOf(webhookId), webhookId, body)),
  }),
});

export const redeliverAny = operation({
  method: 'POST',
  path: '/v1/operator/webhooks/:webhookId/deliveries/:deliveryId/redeliver',
  id: 'redeliverAny',
  tag: OPERATOR_TAG,
  summary: 'Send a delivery of any tenant again',
  description: 'As its tenant does; a webhook that is disabled has to be enabled first.',
  access: operatorAccess,
  counts: 'other',
  params: deliveryParams,
  answer: { description: 'The delivery.', schema: deliverySchema, example: EXAMPLE_DELIVERY },
  errors: ['not_found', 'conflict'],
  handle: async ({ params: { webhookId, deliveryId } }, { webhooks }: { webhooks: Webhooks }) => ({
    value: deliveryObject(
      await webhooks.redeliver(await webhooks.tenantOf(webhookId), webhookId, deliveryId),
    ),
  }),
});
