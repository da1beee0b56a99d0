import type { Webhooks } from '../../webhooks/webhooks.ts';
import { operation } from '../operation.ts';
import {
  EXAMPLE_ISSUED_WEBHOOK,
  issuedWebhookObject,
  issuedWebhookSchema,
  OVERLAP_HOURS,
  SECRET_NOTE,
  WEBHOOKS_TAG,
  webhookParams,
  webhooksAccess,
} from './webhook-json.ts';

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
