import { z } from 'zod';
import { WEBHOOK_ID_FORM, type Webhooks } from '../../webhooks/webhooks.ts';
import { listAnswer } from '../answers.ts';
import { pageOf, pageQueryOf } from '../lists.ts';
import { operation } from '../operation.ts';
import {
  deliveryObject,
  deliverySchema,
  EXAMPLE_DELIVERY,
  EXAMPLE_WEBHOOK,
  webhookObject,
  webhookSchema,
} from '../webhooks/webhook-json.ts';
import { ofOperator } from './operator-parts.ts';

const LOOKED_AT = 100;
const SHOWN = 5;

const hookSchema = webhookSchema
  .extend({
    queued: z.int().describe(`Waiting ones among the last ${LOOKED_AT} deliveries.`),
    failed: z.int().describe(`Failed ones among the last ${LOOKED_AT} deliveries.`),
    deliveries: z.array(deliverySchema).describe(`The last ${SHOWN}, newest first.`),
  })
  .meta({ id: 'OperatorWebhook' });

export const listAllWebhooks = operation({
  ...ofOperator,
  method: 'GET',
  path: '/v1/operator/webhooks',
  id: 'listAllWebhooks',
  summary: 'List the webhooks of all tenants with their last deliveries',
  query: pageQueryOf(WEBHOOK_ID_FORM),
  answer: listAnswer('The webhooks, with the address of the next page in Link.', hookSchema, {
    ...EXAMPLE_WEBHOOK,
    queued: 1,
    failed: 0,
    deliveries: [EXAMPLE_DELIVERY],
  }),
  handle: ({ query }, { webhooks }: { webhooks: Webhooks }) =>
    pageOf(
      query,
      (page) => webhooks.listAll(page, LOOKED_AT),
      ({ webhook, deliveries }) => ({
        ...webhookObject(webhook),
        queued: deliveries.filter(({ outcome }) => outcome === undefined).length,
        failed: deliveries.filter(({ outcome }) => outcome === 'failed').length,
        deliveries: deliveries.slice(0, SHOWN).map(deliveryObject),
      }),
    ),
});
