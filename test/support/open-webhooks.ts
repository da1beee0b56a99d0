import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createIds } from '../../src/base/time-ordered-id.ts';
import { ChangeHints } from '../../src/db/change-hints.ts';
import { openDatabase } from '../../src/db/sqlite/database.ts';
import { OutgoingAddresses } from '../../src/outgoing/outgoing-addresses.ts';
import type { EventData } from '../../src/webhooks/delivery-attempt.ts';
import type { DeliveryObserver } from '../../src/webhooks/delivery-observer.ts';
import { DeliveryStore } from '../../src/webhooks/delivery-store.ts';
import { DeliverySweeper } from '../../src/webhooks/delivery-sweeper.ts';
import { DeliveryWorker } from '../../src/webhooks/delivery-worker.ts';
import { createSecret } from '../../src/webhooks/signature.ts';
import type { WebhookTarget } from '../../src/webhooks/webhook.ts';
import { type NewWebhook, WebhookStore } from '../../src/webhooks/webhook-store.ts';
import { tempFolder } from './temp-folder.ts';

export interface Received {
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly atMs: number;
}

/** A receiver of webhooks on a free loopback port. */
export async function openReceiver(nowMs: () => number = Date.now) {
  const received: Received[] = [];
  const receiver = {
    received,
    url: '',
    /** The response, by default 204. */
    answer: (_request: IncomingMessage, response: ServerResponse): void => {
      response.writeHead(204).end();
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    received.push({ headers: request.headers, body, atMs: nowMs() });
    receiver.answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return receiver;
}

/** Webhooks over a temporary database, with a clock that the test sets. */
export async function openWebhooks() {
  const folder = tempFolder();
  // Writers use the clock of the machine.
  const clock = { nowMs: Date.now() + 1_000 };
  const nowMs = () => clock.nowMs;
  const db = await openDatabase({ file: join(folder.path, 'larder.db') });
  const webhooks = new WebhookStore(db);
  const deliveries = new DeliveryStore(db);
  const events: string[] = [];
  const observer: DeliveryObserver = {
    attempted: ({ event, attempts }, { outcome, status }) =>
      events.push(`${event} ${outcome} at ${attempts}: ${status ?? 'no answer'}`),
    disabled: (_, reason) => events.push(`disabled: ${reason}`),
    broken: (doing, error) => events.push(`broken: ${doing}: ${(error as Error).message}`),
  };
  const hints = new ChangeHints({ memory: ChangeHints.createMemory() });
  const eventData: EventData = async ({ userId }) => [{ userId }];
  return {
    clock,
    db,
    webhooks,
    deliveries,
    events,
    worker: ({ allowed = ['127.0.0.1'], ...more }: { allowed?: string[]; eventData?: EventData } = {}) =>
      new DeliveryWorker({
        webhooks,
        deliveries,
        eventData,
        addresses: new OutgoingAddresses({ allowed, setting: 'LARDER_WEBHOOK_NETWORKS' }),
        observer,
        nowMs,
        hints,
        pollMs: 1_000_000,
        ...more,
      }),
    sweeper: (maxQueued: number) => new DeliverySweeper({ webhooks, deliveries, observer, nowMs, maxQueued }),
    async add(url: string, more: Partial<NewWebhook> = {}) {
      const createdAtMs = nowMs();
      const [id] = createIds(1, createdAtMs, randomBytes);
      const webhook: NewWebhook & WebhookTarget = {
        id: id!,
        tenant: 'acme',
        url,
        events: ['diary.changed'],
        createdAtMs,
        secret: createSecret(),
        previous: [],
        baseUrl: 'http://larder.test',
        ...more,
      };
      await webhooks.add(webhook, 100);
      return webhook;
    },
    /** Writes to a diary. */
    change: (userId: string, tenant = 'acme') =>
      db.writer.write({
        statements: [{ sql: 'update feed_epochs set epoch = epoch', runs: [[]] }],
        change: { tenant, userId, kind: 'entry', ids: ['01KG9V4N00000000000000EXMP'] },
      }),
    async [Symbol.asyncDispose]() {
      await db.close();
      folder[Symbol.dispose]();
    },
  };
}
