import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { verifyWebhook } from '../../packages/client/src/webhook.ts';
import { openReceiver, openWebhooks } from '../../test/support/open-webhooks.ts';
import { sql } from '../db/sql.ts';
import { RETRY_PAUSES_MS } from './retry-schedule.ts';
import { createSecret } from './signature.ts';

const HOUR_MS = 3_600_000;

let opened: Awaited<ReturnType<typeof openWebhooks>>;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
beforeEach(async () => {
  opened = await openWebhooks();
  receiver = await openReceiver(() => opened.clock.nowMs);
});
afterEach(async () => {
  await receiver[Symbol.asyncDispose]();
  await opened[Symbol.asyncDispose]();
});

const listed = async (id: string) => opened.deliveries.list(id, '', 100);

test('an event arrives once, signed, with its time', async () => {
  const webhook = await opened.add(receiver.url);
  await opened.change('ann');
  await opened.worker().drain();
  expect(receiver.received).toHaveLength(1);
  const { headers, body } = receiver.received[0]!;
  const [delivery] = await listed(webhook.id);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': delivery!.id });
  const told = await verifyWebhook(headers, body, webhook.secret, { nowMs: opened.clock.nowMs });
  expect(told).toEqual({
    type: 'diary.changed',
    timestamp: new Date(delivery!.createdAtMs).toISOString(),
    data: { userId: 'ann' },
  });
  expect(delivery).toMatchObject({ outcome: 'succeeded', attempts: 1, responseStatus: 204 });
});

test('a webhook whose secret cannot be opened sends nothing and says so, until its secret is rotated', async () => {
  const webhook = await opened.add(receiver.url);
  await sql`update webhooks set secret = ${`s1.00000000.${'A'.repeat(60)}`}`.all(opened.db.db);
  await opened.change('ann');
  await opened.worker().drain();
  expect(receiver.received).toEqual([]);
  const [delivery] = await listed(webhook.id);
  expect(delivery!.response).toMatch(/^not sent: the secret of this webhook .* rotate it$/);
  const secret = createSecret();
  await opened.webhooks.rotate(webhook, secret, { nowMs: 0, untilMs: 1 });
  opened.clock.nowMs = delivery!.dueAtMs!;
  await opened.worker().drain();
  const { headers, body } = receiver.received[0]!;
  await verifyWebhook(headers, body, secret, { nowMs: opened.clock.nowMs });
});

test('each event arrives although the receiver was unavailable for an hour, with one id for all attempts', async () => {
  const webhook = await opened.add(receiver.url);
  const startMs = opened.clock.nowMs;
  receiver.answer = (_, response) => {
    const isAway = opened.clock.nowMs < startMs + HOUR_MS;
    response.writeHead(isAway ? 503 : 200).end(isAway ? 'away' : 'thanks');
  };
  const worker = opened.worker();
  const users = ['ann', 'bob', 'cat', 'dan', 'eve', 'fay'];
  for (const user of users) await opened.change(user);
  for (let minutes = 0; minutes <= 4 * 60; minutes++) {
    await worker.drain();
    opened.clock.nowMs += 60_000;
  }
  const good = receiver.received.filter(({ atMs }) => atMs >= startMs + HOUR_MS);
  expect(good.map(({ body }) => JSON.parse(body).data.userId).sort()).toEqual(users);
  const ids = new Set(receiver.received.map(({ headers }) => headers['webhook-id']));
  expect(ids.size).toBe(users.length);
  expect(new Set((await listed(webhook.id)).map(({ outcome }) => outcome))).toEqual(new Set(['succeeded']));
});

test.each([
  [301, { location: '/elsewhere' }],
  [302, { location: '/elsewhere' }],
  [400, {}],
  [429, {}],
  [500, {}],
] as const)('a response %i does not count as received, and is not followed', async (status, headers) => {
  const webhook = await opened.add(receiver.url);
  receiver.answer = (_, response) => response.writeHead(status, headers).end('no');
  await opened.change('ann');
  await opened.worker().drain();
  expect(receiver.received).toHaveLength(1);
  const [delivery] = await listed(webhook.id);
  expect(delivery).toMatchObject({ attempts: 1, responseStatus: status, response: 'no' });
  const pauseMs = delivery!.dueAtMs! - opened.clock.nowMs;
  expect(pauseMs).toBeGreaterThanOrEqual(RETRY_PAUSES_MS[0]!);
});

test('Retry-After lengthens the pause', async () => {
  const webhook = await opened.add(receiver.url);
  receiver.answer = (_, response) => response.writeHead(503, { 'retry-after': '600' }).end();
  await opened.change('ann');
  await opened.worker().drain();
  const [delivery] = await listed(webhook.id);
  expect(delivery!.dueAtMs! - opened.clock.nowMs).toBe(600_000);
});

test('410 disables the webhook at once, and the delivery is not tried again', async () => {
  const webhook = await opened.add(receiver.url);
  receiver.answer = (_, response) => response.writeHead(410).end();
  await opened.change('ann');
  await opened.worker().drain();
  expect(opened.events).toEqual(['diary.changed failed at 1: 410', 'disabled: gone']);
  expect(await opened.webhooks.find('acme', webhook.id)).toMatchObject({ disabled: { reason: 'gone' } });
});

test('three days of failures disable the webhook; waiting deliveries are sent after it is enabled', async () => {
  const webhook = await opened.add(receiver.url);
  let isAway = true;
  receiver.answer = (_, response) => response.writeHead(isAway ? 500 : 200).end();
  await opened.change('ann');
  const worker = opened.worker();
  for (let hours = 0; hours <= 84; hours++) {
    if (hours === 70) await opened.change('bob');
    await worker.drain();
    opened.clock.nowMs += HOUR_MS;
  }
  expect(opened.events.at(-1)).toBe('disabled: failing');
  isAway = false;
  receiver.received.length = 0;
  await opened.webhooks.change(webhook, { isEnabled: true }, opened.clock.nowMs);
  await worker.drain();
  expect(receiver.received.map(({ body }) => JSON.parse(body).data.userId)).toContain('bob');
});

test('a delivery has ten attempts', async () => {
  const webhook = await opened.add(receiver.url);
  receiver.answer = (_, response) => response.writeHead(500).end();
  await opened.change('ann');
  const worker = opened.worker();
  for (const pauseMs of [0, ...RETRY_PAUSES_MS, 0, 0]) {
    opened.clock.nowMs += pauseMs * 1.1 + 1;
    // Other deliveries prevent it from being disabled.
    await opened.webhooks.change(webhook, { isEnabled: true }, 0);
    await worker.drain();
  }
  expect(receiver.received).toHaveLength(RETRY_PAUSES_MS.length + 1);
  expect(await listed(webhook.id)).toMatchObject([{ outcome: 'failed', attempts: 10 }]);
});

test.each([
  'http://127.0.0.1:9/',
  'http://[::1]:9/',
  'http://localhost:9/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[::ffff:10.0.0.1]/',
])('%s is not called if its network is not allowed', async (url) => {
  const webhook = await opened.add(url);
  await opened.change('ann');
  await opened.worker({ allowed: ['192.168.0.0/16'] }).drain();
  const [delivery] = await listed(webhook.id);
  expect(delivery!.response).toContain('LARDER_WEBHOOK_NETWORKS');
  expect(delivery!.responseStatus).toBeUndefined();
});

test('a receiver that never answers delays no other, and uses few of the connections', async () => {
  const hung: (() => void)[] = [];
  await using dead = await openReceiver();
  dead.answer = (_, response) => hung.push(() => response.writeHead(200).end());
  await opened.add(dead.url);
  await opened.add(receiver.url, { tenant: 'other' });
  for (let user = 0; user < 20; user++) {
    await opened.change(`user-${user}`);
    await opened.change(`user-${user}`, 'other');
  }
  const worker = opened.worker();
  worker.start();
  await vi.waitUntil(() => receiver.received.length === 20);
  expect(hung).toHaveLength(4);
  dead.answer = (_, response) => response.writeHead(200).end();
  for (const end of hung) end();
  await vi.waitUntil(() => dead.received.length === 20);
  await worker.stop();
});

test('a stopping worker returns its deliveries, and another one sends them with the same id', async () => {
  const webhook = await opened.add(receiver.url);
  receiver.answer = () => {};
  await opened.change('ann');
  const stopping = opened.worker();
  stopping.start();
  await vi.waitUntil(() => receiver.received.length === 1);
  await stopping.stop();
  receiver.answer = (_, response) => response.writeHead(200).end();
  await opened.worker().drain();
  const [first, second] = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(second).toBe(first);
  expect(await listed(webhook.id)).toMatchObject([{ outcome: 'succeeded', attempts: 1 }]);
});

test('another worker takes over the deliveries of a crashed one', async () => {
  const webhook = await opened.add(receiver.url);
  await opened.change('ann');
  const nowMs = opened.clock.nowMs;
  await opened.deliveries.claim(webhook.id, { nowMs, leaseUntilMs: nowMs + 30_000, limit: 5 });
  const worker = opened.worker();
  await worker.drain();
  expect(receiver.received).toHaveLength(0);
  opened.clock.nowMs += 30_000;
  await worker.drain();
  expect(receiver.received).toHaveLength(1);
});

test('the first form of the data that fits is sent; if there is none, the delivery is dropped', async () => {
  const webhook = await opened.add(receiver.url);
  await opened.change('ann');
  await opened.worker({ eventData: async () => [{ long: 'x'.repeat(20_000) }, { short: true }] }).drain();
  expect(JSON.parse(receiver.received[0]!.body).data).toEqual({ short: true });
  await opened.change('bob');
  await opened.worker({ eventData: async () => undefined }).drain();
  expect(receiver.received).toHaveLength(1);
  expect(await listed(webhook.id)).toHaveLength(1);
});

test('only the beginning of a long response is stored', async () => {
  const webhook = await opened.add(receiver.url);
  receiver.answer = (_, response) => response.writeHead(200).end(`\0${'y'.repeat(5_000_000)}`);
  await opened.change('ann');
  await opened.worker().drain();
  const [delivery] = await listed(webhook.id);
  expect(delivery).toMatchObject({ outcome: 'succeeded', response: 'y'.repeat(499) });
});

test('a failing test does not count as a failure of the webhook', async () => {
  const webhook = await opened.add(receiver.url);
  receiver.answer = (_, response) => response.writeHead(500).end();
  await opened.deliveries.addTest(
    { tenant: 'acme', webhookId: webhook.id, id: '1'.repeat(32) },
    opened.clock.nowMs,
  );
  await opened.worker().drain();
  expect(opened.events).toEqual(['webhook.test postponed at 1: 500']);
  expect((await opened.webhooks.find('acme', webhook.id))!.failingSinceMs).toBeUndefined();
});

test('too many waiting deliveries disable the webhook, with that reason', async () => {
  const webhook = await opened.add(receiver.url);
  for (const user of ['ann', 'bob', 'cat']) await opened.change(user);
  await opened.sweeper(3).sweep();
  expect(opened.events).toEqual([]);
  await opened.sweeper(2).sweep();
  expect(opened.events).toEqual(['disabled: queue_full']);
  expect(await opened.webhooks.find('acme', webhook.id)).toMatchObject({
    disabled: { reason: 'queue_full' },
  });
});
