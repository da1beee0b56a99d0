import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import type { Caller } from '../../access/api-key.ts';
import { creatorOf } from '../../access/creator.ts';
import { isOperator, requireOperator } from '../../access/grants.ts';
import type { TenantDirectory } from '../../access/tenant-directory.ts';
import { DELIVERY_ID_FORM, WEBHOOK_ID_FORM, type Webhooks } from '../../webhooks/webhooks.ts';
import { requireScope, requireUser } from '../acting-user.ts';
import { listAnswer } from '../answers.ts';
import { BODY_LIMITS } from '../body-limits.ts';
import { applyChange } from '../etag.ts';
import { withoutReadOnly } from '../fields.ts';
import { pageOf, pageQueryOf } from '../lists.ts';
import { operation } from '../operation.ts';
import { tenantText, userIdText } from '../text-schemas.ts';
import {
  deliveryObject,
  deliverySchema,
  EXAMPLE_DELIVERY,
  EXAMPLE_ISSUED_WEBHOOK,
  EXAMPLE_WEBHOOK,
  eventsInput,
  issuedWebhookObject,
  issuedWebhookSchema,
  OVERLAP_HOURS,
  readableEvents,
  SECRET_NOTE,
  urlInput,
  webhookObject,
  webhookSchema,
} from './webhook-json.ts';

interface Ports {
  readonly webhooks: Webhooks;
}

const COLLECTION = '/v1/webhooks';
const shared = {
  tag: 'Webhooks',
  /** Those of the own tenant, or of all. */
  access: { credential: 'bearer', scope: 'webhooks', orScope: 'operator' },
  counts: 'other',
} as const;
/** A session gets no secret and chooses no address without a recent proof. */
const confirmed = { ...shared, access: { ...shared.access, confirmed: true } } as const;
const one = {
  path: `${COLLECTION}/:webhookId`,
  params: z.object({ webhookId: z.string().meta({ example: EXAMPLE_WEBHOOK.id }) }),
  errors: ['webhook_not_found'],
} as const;

/** The tenant of a webhook that the caller reaches. Throws `webhook_not_found`. */
async function tenantOf(caller: Caller, webhooks: Webhooks, id: string): Promise<string> {
  return isOperator(caller) ? webhooks.tenantOf(id) : caller.tenant;
}

export const createWebhook = operation({
  ...confirmed,
  method: 'POST',
  path: COLLECTION,
  id: 'createWebhook',
  summary: 'Create a webhook',
  description: `It is told of what happens from then on. ${SECRET_NOTE}`,
  body: {
    schema: z
      .strictObject({
        tenant: tenantText
          .optional()
          .describe('Of what happens there it is told. Only operators name another tenant than their own.'),
        url: urlInput,
        events: eventsInput,
        userId: userIdText
          .optional()
          .describe('Only events of this user; erasing the user deletes the webhook.'),
      })
      .meta({ id: 'WebhookInput' }),
    example: { url: EXAMPLE_WEBHOOK.url, events: EXAMPLE_WEBHOOK.events },
    limit: BODY_LIMITS.fields,
  },
  answer: {
    status: 201,
    description: 'The webhook with its secret.',
    headers: ['Location'],
    schema: issuedWebhookSchema,
    example: EXAMPLE_ISSUED_WEBHOOK,
    holdsSecret: true,
  },
  errors: ['quota_exceeded', 'confirmation_required'],
  handle: async (
    { caller, body: { tenant = caller.tenant, ...asked }, baseUrl },
    { webhooks, tenants }: Ports & { readonly tenants: TenantDirectory },
  ) => {
    if (tenant !== caller.tenant) {
      requireOperator(caller);
      if (!(await tenants.exists(tenant))) throw noTenant();
    }
    if (!isOperator(caller)) requireUser(caller, asked.userId, 'read');
    const issued = await webhooks.create(tenant, {
      ...asked,
      events: readableEvents(caller, asked.events),
      createdBy: creatorOf(caller),
      baseUrl,
    });
    return { value: issuedWebhookObject(issued), created: issued.webhook.id };
  },
});

export const listWebhooks = operation({
  ...shared,
  method: 'GET',
  path: COLLECTION,
  id: 'listWebhooks',
  summary: 'List webhooks in the order of their creation',
  description: 'Those of the tenant; with the scope `operator` those of all tenants.',
  query: pageQueryOf(WEBHOOK_ID_FORM),
  answer: listAnswer('The webhooks, without their secrets.', webhookSchema, EXAMPLE_WEBHOOK),
  handle: ({ caller, query }, { webhooks }: Ports) =>
    pageOf(
      query,
      (page) => webhooks.list(isOperator(caller) ? undefined : caller.tenant, page),
      webhookObject,
    ),
});

export const getWebhook = operation({
  ...shared,
  ...one,
  method: 'GET',
  id: 'getWebhook',
  summary: 'Read a webhook',
  answer: {
    description: 'The webhook, without its secret.',
    schema: webhookSchema,
    example: EXAMPLE_WEBHOOK,
  },
  handle: async ({ caller, params: { webhookId } }, { webhooks }: Ports) => ({
    value: webhookObject(await webhooks.get(await tenantOf(caller, webhooks, webhookId), webhookId)),
  }),
});

const webhookChangeSchema = z
  .strictObject({
    url: urlInput.optional(),
    events: eventsInput.optional(),
    isEnabled: z
      .boolean()
      .optional()
      .describe(
        'While it is disabled nothing is queued for it. What waits is sent when it is enabled again.',
      ),
  })
  .meta({ id: 'WebhookPatch' });

const READ_ONLY = Object.keys(webhookSchema.shape).filter((name) => !(name in webhookChangeSchema.shape));

export const changeWebhook = operation({
  ...shared,
  ...one,
  method: 'PATCH',
  id: 'changeWebhook',
  summary: 'Change a webhook, disable it, or enable it again, such as one that was given up',
  description: 'Another address or other events need the scope `webhooks`.',
  body: {
    schema: withoutReadOnly(webhookChangeSchema, READ_ONLY),
    described: webhookChangeSchema,
    example: { isEnabled: true },
    limit: BODY_LIMITS.fields,
  },
  answer: { description: 'The webhook as it is now.', schema: webhookSchema, example: EXAMPLE_WEBHOOK },
  handle: async (request, { webhooks }: Ports) => {
    const { caller, params, body } = request;
    const tenant = await tenantOf(caller, webhooks, params.webhookId);
    const current = await webhooks.get(tenant, params.webhookId);
    // A field that is sent back as it was read changes nothing.
    const url = body.url === current.url ? undefined : body.url;
    const events = `${body.events}` === `${current.events}` ? undefined : body.events;
    if (url !== undefined || events !== undefined) requireScope(caller, 'webhooks');
    const change = {
      ...(url !== undefined && { url, createdBy: creatorOf(caller) }),
      ...(events !== undefined && { events: readableEvents(caller, events) }),
      ...(body.isEnabled !== undefined && { isEnabled: body.isEnabled }),
    };
    return applyChange(request, {
      readOnly: READ_ONLY,
      readCurrent: async () => webhookObject(current),
      change: async () => ({ value: webhookObject(await webhooks.change(tenant, params.webhookId, change)) }),
    });
  },
});

export const deleteWebhook = operation({
  ...shared,
  ...one,
  method: 'DELETE',
  id: 'deleteWebhook',
  summary: 'Delete a webhook with its deliveries',
  answer: { status: 204, description: 'It is deleted. A delivery that is being sent may still arrive.' },
  handle: async ({ caller, params: { webhookId } }, { webhooks }: Ports) => {
    await webhooks.remove(await tenantOf(caller, webhooks, webhookId), webhookId);
  },
});

export const rotateWebhook = operation({
  ...confirmed,
  ...one,
  method: 'POST',
  path: `${one.path}/rotate`,
  id: 'rotateWebhook',
  summary: 'Give a webhook another secret',
  description: `For ${OVERLAP_HOURS} hours deliveries are also signed by the secrets before, at most ten. ${SECRET_NOTE}`,
  answer: {
    description: 'The webhook with its new secret.',
    schema: issuedWebhookSchema,
    example: EXAMPLE_ISSUED_WEBHOOK,
    holdsSecret: true,
  },
  errors: ['webhook_not_found', 'confirmation_required'],
  handle: async ({ caller, params: { webhookId } }, { webhooks }: Ports) => ({
    value: issuedWebhookObject(await webhooks.rotate(await tenantOf(caller, webhooks, webhookId), webhookId)),
  }),
});

export const testWebhook = operation({
  ...shared,
  ...one,
  method: 'POST',
  path: `${one.path}/test`,
  id: 'testWebhook',
  summary: 'Send a delivery of the type webhook.test',
  description: 'Its `data` is empty. Whether it arrived is in the list of deliveries.',
  answer: {
    status: 201,
    description: 'The delivery, which is sent at once.',
    schema: deliverySchema,
    example: { ...EXAMPLE_DELIVERY, type: 'webhook.test' },
  },
  errors: ['webhook_not_found', 'conflict'],
  handle: async ({ caller, params: { webhookId } }, { webhooks }: Ports) => ({
    value: deliveryObject(await webhooks.test(await tenantOf(caller, webhooks, webhookId), webhookId)),
  }),
});

export const listDeliveries = operation({
  ...shared,
  ...one,
  method: 'GET',
  path: `${one.path}/deliveries`,
  id: 'listDeliveries',
  summary: 'List the deliveries of a webhook, newest first',
  description: 'Those that succeeded are kept for a day, those that failed for seven days.',
  query: pageQueryOf(DELIVERY_ID_FORM),
  answer: listAnswer('The deliveries, without what they tell.', deliverySchema, EXAMPLE_DELIVERY),
  handle: ({ caller, params: { webhookId }, query }, { webhooks }: Ports) =>
    pageOf(
      query,
      async (page) => webhooks.deliveries(await tenantOf(caller, webhooks, webhookId), webhookId, page),
      deliveryObject,
    ),
});

export const redeliver = operation({
  ...shared,
  method: 'POST',
  path: `${one.path}/deliveries/:deliveryId/redeliver`,
  id: 'redeliver',
  summary: 'Send a delivery again',
  description:
    'At once, with the same `webhook-id` and what there is to tell then; it gets all attempts anew.',
  params: one.params.extend({ deliveryId: z.string().meta({ example: EXAMPLE_DELIVERY.id }) }),
  answer: { description: 'The delivery.', schema: deliverySchema, example: EXAMPLE_DELIVERY },
  errors: ['webhook_not_found', 'delivery_not_found', 'conflict'],
  handle: async ({ caller, params: { webhookId, deliveryId } }, { webhooks }: Ports) => ({
    value: deliveryObject(
      await webhooks.redeliver(await tenantOf(caller, webhooks, webhookId), webhookId, deliveryId),
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
