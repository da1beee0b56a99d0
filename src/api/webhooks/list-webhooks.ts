import { z } from 'zod';
import { WEBHOOK_ID_FORM, type Webhooks } from '../../webhooks/webhooks.ts';
import { pageQueryOf } from '../list-queries.ts';
import { pageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import {
  EXAMPLE_WEBHOOK,
  WEBHOOKS_TAG,
  webhookObject,
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
