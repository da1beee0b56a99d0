import type { Webhooks } from '../../webhooks/webhooks.ts';
import { operation } from '../operation.ts';
import { WEBHOOKS_TAG, webhookParams, webhooksAccess } from './webhook-json.ts';

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
