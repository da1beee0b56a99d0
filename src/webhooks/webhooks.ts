import { AppError } from '@larder/core/errors.ts';
import type { Creator } from '../access/api-key.ts';
import { createIds, ID_FORM, type RandomBytes } from '../base/time-ordered-id.ts';
import type { OutgoingAddresses } from '../outgoing/outgoing-addresses.ts';
import type { DeliveryStore } from './delivery-store.ts';
import { createSecret } from './signature.ts';
import type { Delivery, Webhook, WebhookEvent } from './webhook.ts';
import type { WebhookChange, WebhookStore } from './webhook-store.ts';

/** Ids of deliveries, in cursors. Writers create them: the time in 12 hex digits, then 20 random ones. */
export const DELIVERY_ID_FORM = '[0-9a-f]{32}';
export const WEBHOOK_ID_FORM = ID_FORM;
const WEBHOOK_ID = new RegExp(`^${WEBHOOK_ID_FORM}$`);
const DELIVERY_ID = new RegExp(`^${DELIVERY_ID_FORM}$`);
const DELIVERY_CHANCE_BYTES = 10;
/** Time for which a secret signs after it was replaced. */
export const OVERLAP_MS = 24 * 3_600_000;

export interface WebhookRequest {
  readonly url: string;
  readonly events: readonly WebhookEvent[];
  readonly userId?: string | undefined;
  readonly createdBy: Creator;
  /** Base URL by which the client reaches this service. */
  readonly baseUrl: string;
}

/** Includes the secret, which is returned once. */
export interface IssuedWebhook {
  readonly webhook: Webhook;
  readonly secret: string;
}

export interface WebhooksOptions {
  readonly store: WebhookStore;
  readonly deliveries: DeliveryStore;
  /** Networks that may be reached. */
  readonly addresses: OutgoingAddresses;
  /** Whether addresses without encryption are accepted, as in a home network. */
  readonly takesHttp: boolean;
  readonly maxWebhooks: number;
  readonly nowMs: () => number;
  readonly randomBytes: RandomBytes;
}

/** Webhooks as their tenant sees them. Those of other tenants are treated as missing: `not_found`. */
export class Webhooks {
  readonly #options: WebhooksOptions;

  constructor(options: WebhooksOptions) {
    this.#options = options;
  }

  /** Throws `quota_exceeded`, and `invalid_request` for an address that is not allowed. */
  async create(
    tenant: string,
    { url, events, userId, createdBy, baseUrl }: WebhookRequest,
  ): Promise<IssuedWebhook> {
    const { store, maxWebhooks, nowMs, randomBytes } = this.#options;
    const createdAtMs = nowMs();
    const [id] = createIds(1, createdAtMs, randomBytes);
    const webhook: Webhook = {
      id: id!,
      tenant,
      url: this.#parseUrl(url),
      events,
      ...(userId !== undefined && { userId }),
      createdAtMs,
      createdBy,
    };
    const secret = createSecret();
    if (!(await store.add({ ...webhook, secret, baseUrl }, maxWebhooks))) throw quotaExceeded(maxWebhooks);
    return { webhook, secret };
  }

  /** Without a tenant those of all. */
  list(
    tenant: string | undefined,
    { after, limit }: { after: string; limit: number },
  ): Promise<readonly Webhook[]> {
    const { store } = this.#options;
    return tenant === undefined ? store.listAll(after, limit) : store.list(tenant, after, limit);
  }

  /** Returns those of all tenants whose address this creator chose. */
  madeBy(creator: Creator, limit: number): Promise<readonly Webhook[]> {
    return this.#options.store.listMadeBy(creator, limit);
  }

  async get(tenant: string, id: string): Promise<Webhook> {
    const webhook = WEBHOOK_ID.test(id) ? await this.#options.store.find(tenant, id) : undefined;
    if (webhook === undefined) throw noWebhook();
    return webhook;
  }

  /** Returns the tenant of a webhook, for operators. Throws `not_found`. */
  async tenantOf(id: string): Promise<string> {
    const [webhook] = WEBHOOK_ID.test(id) ? await this.#options.store.targets([id]) : [];
    if (webhook === undefined) throw noWebhook();
    return webhook.tenant;
  }

  /** Whoever changes the address counts as the creator. */
  async change(tenant: string, id: string, { url, createdBy, ...change }: WebhookChange): Promise<Webhook> {
    const { store, nowMs } = this.#options;
    const webhook = await this.get(tenant, id);
    const parsed =
      url === undefined ? change : { ...change, ...(createdBy && { createdBy }), url: this.#parseUrl(url) };
    const changed = await store.change(webhook, parsed, nowMs());
    if (changed === undefined) throw noWebhook();
    return changed;
  }

  async remove(tenant: string, id: string): Promise<void> {
    await this.#options.store.remove(await this.get(tenant, id));
  }

  async rotate(tenant: string, id: string): Promise<IssuedWebhook> {
    const { store, nowMs } = this.#options;
    const webhook = await this.get(tenant, id);
    const secret = createSecret();
    const now = nowMs();
    if (!(await store.rotate(webhook, secret, { nowMs: now, untilMs: now + OVERLAP_MS }))) throw noWebhook();
    return { webhook, secret };
  }

  /** Queues a test delivery. Throws `invalid_request` if the webhook is disabled. */
  async test(tenant: string, id: string): Promise<Delivery> {
    const { deliveries, nowMs, randomBytes } = this.#options;
    const webhook = await this.get(tenant, id);
    requireEnabled(webhook);
    const now = nowMs();
    const chance = Buffer.from(randomBytes(DELIVERY_CHANCE_BYTES)).toString('hex');
    const name = { tenant, webhookId: id, id: now.toString(16).padStart(12, '0') + chance };
    await deliveries.addTest(name, now);
    return this.#delivery(name);
  }

  /** Newest first, starting after the delivery `after`. */
  async deliveries(tenant: string, id: string, { after, limit }: { after: string; limit: number }) {
    const webhook = await this.get(tenant, id);
    return this.#options.deliveries.list(webhook.id, after, limit);
  }

  /** Returns webhooks of all tenants, each with its last `deliveries`, newest first. */
  async listAll({ after, limit }: { after: string; limit: number }, deliveries: number) {
    const { store, deliveries: queue } = this.#options;
    const webhooks = await store.listAll(after, limit);
    return Promise.all(
      webhooks.map(async (webhook) => ({
        id: webhook.id,
        webhook,
        deliveries: await queue.list(webhook.id, '', deliveries),
      })),
    );
  }

  /** Queues the delivery again. Throws `invalid_request` if the webhook is disabled, or the delivery is being sent. */
  async redeliver(tenant: string, id: string, deliveryId: string): Promise<Delivery> {
    const { deliveries, nowMs } = this.#options;
    const webhook = await this.get(tenant, id);
    const name = { webhookId: id, id: deliveryId };
    await this.#delivery(name);
    requireEnabled(webhook);
    const isQueued = await deliveries.redeliver(name, nowMs());
    const delivery = await this.#delivery(name);
    if (!isQueued) throw refused('This delivery is being sent; wait for its outcome.');
    return delivery;
  }

  async #delivery(name: { readonly webhookId: string; readonly id: string }): Promise<Delivery> {
    const delivery = DELIVERY_ID.test(name.id) ? await this.#options.deliveries.find(name) : undefined;
    if (delivery !== undefined) return delivery;
    throw new AppError({ code: 'delivery_not_found', message: 'There is no delivery with this id.' });
  }

  /** Host names are resolved and checked again at each delivery. */
  #parseUrl(text: string): string {
    const { addresses, takesHttp } = this.#options;
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url?.protocol !== 'https:' && (url?.protocol !== 'http:' || !takesHttp))
      throw refused(`"url" has to be an ${takesHttp ? 'http: or ' : ''}https: address.`, 'url');
    if (url.username !== '' || url.password !== '')
      throw refused('"url" has to be without user name and password; deliveries are signed instead.', 'url');
    try {
      addresses.requireHost(url);
    } catch (error) {
      throw refused(`"url": ${(error as Error).message}`, 'url');
    }
    url.hash = '';
    return url.href;
  }
}

function requireEnabled({ disabled }: Webhook): void {
  if (disabled !== undefined)
    throw new AppError({ code: 'conflict', message: 'This webhook is disabled; enable it first.' });
}

function refused(message: string, field?: string): AppError {
  const details = field === undefined ? undefined : { fields: [field] };
  return new AppError({ code: 'invalid_request', message, ...(details && { details }) });
}

function noWebhook(): AppError {
  return new AppError({ code: 'webhook_not_found', message: 'There is no webhook with this id.' });
}

function quotaExceeded(limit: number): AppError {
  return new AppError({
    code: 'quota_exceeded',
    message: `This tenant has ${limit} webhooks, as many as it may have; delete some, or ask the operator for more.`,
    details: { quota: 'webhooks', limit, used: limit },
  });
}
