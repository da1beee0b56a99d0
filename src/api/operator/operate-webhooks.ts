import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { TENANT_PATTERN } from '../../access/api-key.ts';
import { creatorOf } from '../../access/creator.ts';
import type { TenantDirectory } from '../../access/tenant-directory.ts';
import { WEBHOOK_EVENTS } from '../../webhooks/webhook.ts';
import type { Webhooks } from '../../webhooks/webhooks.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { operation } from '../operation.ts';
import {
  deliveryObject,
  deliveryParams,
  deliverySchema,
  EXAMPLE_DELIVERY,
  EXAMPLE_ISSUED_WEBHOOK,
  EXAMPLE_WEBHOOK,
  eventSchema,
  issuedWebhookObject,
  issuedWebhookSchema,
  SECRET_NOTE,
  urlInput,
  webhookObject,
  webhookParams,
  webhookSchema,
} from '../webhooks/webhook-json.ts';
import { confirmedOperatorAccess, OPERATOR_TAG, operatorAccess, TENANT_FORM } from './operator-parts.ts';

interface Ports {
  readonly webhooks: Webhooks;
}

export const createAnyWebhook = operation({
  method: 'POST',
  path: '/v1/operator/webhooks',
  id: 'createAnyWebhook',
  tag: OPERATOR_TAG,
  summary: 'Create a webhook of any tenant',
  description: `As its tenant does, with all events. ${SECRET_NOTE}`,
  access: confirmedOperatorAccess,
  counts: 'other',
  body: {
    schema: z
      .strictObject({
        tenant: z
          .string()
          .regex(TENANT_PATTERN, TENANT_FORM)
          .describe('One that exists: what happens there is told.'),
        url: urlInput,
        events: z.array(eventSchema).min(1).max(WEBHOOK_EVENTS.length),
      })
      .meta({ id: 'OperatorWebhookInput' }),
    example: { tenant: 'default', url: EXAMPLE_WEBHOOK.url, events: EXAMPLE_WEBHOOK.events },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The webhook with its secret.',
    schema: issuedWebhookSchema,
    example: EXAMPLE_ISSUED_WEBHOOK,
    holdsSecret: true,
  },
  errors: ['quota_exceeded', 'confirmation_required'],
  handle: async (
    { caller, body, baseUrl },
    { webhooks, tenants }: Ports & { readonly tenants: TenantDirectory },
  ) => {
    const { tenant, url, events } = body;
    if (!(await tenants.exists(tenant))) throw noTenant();
    const issued = await webhooks.create(tenant, {
      url,
      events: [...new Set(events)],
      createdBy: creatorOf(caller),
      baseUrl,
    });
    return { value: issuedWebhookObject(issued) };
  },
});

export const testAnyWebhook = operation({
  method: 'POST',
  path: '/v1/operator/webhooks/:webhookId/test',
  id: 'testAnyWebhook',
  tag: OPERATOR_TAG,
  summary: 'Send a delivery of the type webhook.test to a webhook of any tenant',
  access: operatorAccess,
  counts: 'other',
  params: webhookParams,
  answer: {
    status: 201,
    description: 'The delivery, which is sent at once.',
    schema: deliverySchema,
    example: { ...EXAMPLE_DELIVERY, type: 'webhook.test' },
  },
  errors: ['webhook_not_found', 'conflict'],
  handle: async ({ params: { webhookId } }, { webhooks }: Ports) => ({
    value: deliveryObject(await webhooks.test(await webhooks.tenantOf(webhookId), webhookId)),
  }),
});

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
  errors: ['webhook_not_found'],
  handle: async ({ params: { webhookId }, body }, { webhooks }: Ports) => ({
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
  errors: ['webhook_not_found', 'delivery_not_found', 'conflict'],
  handle: async ({ params: { webhookId, deliveryId } }, { webhooks }: Ports) => ({
    value: deliveryObject(
      await webhooks.redeliver(await webhooks.tenantOf(webhookId), webhookId, deliveryId),
    ),
  }),
});

function noTenant(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: 'There is no tenant of this name: it begins with its first key.',
    details: { fields: ['tenant'] },
  });
}
