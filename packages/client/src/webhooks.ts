import type {
  IssuedWebhook,
  ListDeliveriesData,
  ListWebhooksData,
  Webhook,
  WebhookDelivery,
  WebhookInput,
  WebhookPatch,
} from './generated/types.gen.ts';
import { List } from './http/list.ts';
import type { CallOptions } from './http/options.ts';
import { path } from './http/path.ts';
import type { Transport } from './http/transport.ts';

export type WebhookListQuery = NonNullable<ListWebhooksData['query']>;
export type DeliveryListQuery = NonNullable<ListDeliveriesData['query']>;

/** The webhooks of a tenant; needs the scope `webhooks`. */
export class Webhooks {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(query: WebhookListQuery = {}, options?: CallOptions): List<Webhook> {
    return new List(this.#transport, { path: '/v1/webhooks', options }, query);
  }

  get(id: string, options?: CallOptions): Promise<Webhook> {
    return this.#transport.json('GET', path`/v1/webhooks/${id}`, options);
  }

  /** Creates a webhook. The response is the only one that contains its secret. */
  create(input: WebhookInput, options?: CallOptions): Promise<IssuedWebhook> {
    return this.#transport.json('POST', '/v1/webhooks', options, { body: input });
  }

  change(id: string, patch: WebhookPatch, options?: CallOptions): Promise<Webhook> {
    return this.#transport.json('PATCH', path`/v1/webhooks/${id}`, options, { body: patch });
  }

  remove(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.json('DELETE', path`/v1/webhooks/${id}`, options);
  }

  /**
   * Replaces the secret. The response is the only one that contains it; for one day deliveries are signed
   * with both.
   */
  rotate(id: string, options?: CallOptions): Promise<IssuedWebhook> {
    return this.#transport.json('POST', path`/v1/webhooks/${id}/rotate`, options);
  }

  /** Sends a delivery of the type `webhook.test`. */
  test(id: string, options?: CallOptions): Promise<WebhookDelivery> {
    return this.#transport.json('POST', path`/v1/webhooks/${id}/test`, options);
  }

  /** Newest first. */
  deliveries(id: string, query: DeliveryListQuery = {}, options?: CallOptions): List<WebhookDelivery> {
    return new List(this.#transport, { path: path`/v1/webhooks/${id}/deliveries`, options }, query);
  }

  redeliver(id: string, deliveryId: string, options?: CallOptions): Promise<WebhookDelivery> {
    const address = path`/v1/webhooks/${id}/deliveries/${deliveryId}/redeliver`;
    return this.#transport.json('POST', address, options);
  }
}
