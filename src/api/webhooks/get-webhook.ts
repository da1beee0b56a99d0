import type { Webhooks } from '../../webhooks/webhooks.ts';
import { operation } from '../operation.ts';
import {
  EXAMPLE_WEBHOOK,
  WEBHOOKS_TAG,
  webhookObject,
  webhookParams,
  webhookSchema,
  webhooksAccess,
} from './webhook-json.ts';

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
