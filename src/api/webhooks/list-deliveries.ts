import { z } from 'zod';
import { DELIVERY_ID_FORM, type Webhooks } from '../../webhooks/webhooks.ts';
import { pageQueryOf } from '../list-queries.ts';
import { pageOf } from '../lists.ts';
import { operation } from '../operation.ts';
import {
  deliveryObject,
  deliverySchema,
  EXAMPLE_DELIVERY,
  WEBHOOKS_TAG,
  webhookParams,
  webhooksAccess,
} from './webhook-json.ts';

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
