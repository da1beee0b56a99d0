import { Webhook } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { verifyWebhook, WebhookError } from './webhook.ts';

const SECRET = `whsec_${btoa('a secret of 24 characters')}`;
const BODY = JSON.stringify({
  type: 'scan.completed',
  timestamp: '2026-01-31T12:00:00Z',
  data: { name: 'Käse' },
});
const NOW = { nowMs: Date.parse('2026-01-31T12:00:01Z') };

function signed(body = BODY, secret = SECRET, atMs = NOW.nowMs) {
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(atMs / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', new Date(atMs), body),
  };
}

it('returns the content of a delivery that the specification’s library signed', async () => {
  const expected = JSON.parse(BODY);
  expect(await verifyWebhook(signed(), BODY, SECRET, NOW)).toEqual(expected);
  expect(await verifyWebhook(new Headers(signed()), new TextEncoder().encode(BODY), SECRET, NOW)).toEqual(
    expected,
  );
  const shouted = Object.fromEntries(
    Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]),
  );
  expect(await verifyWebhook(shouted, BODY, SECRET.slice('whsec_'.length), NOW)).toEqual(expected);
});

it('accepts one of several signatures, as while a secret is rotated', async () => {
  const other = signed(BODY, `whsec_${btoa('another secret that is new')}`)['webhook-signature'];
  const headers = { ...signed(), 'webhook-signature': `v2,abc ${other} ${signed()['webhook-signature']}` };
  await verifyWebhook(headers, BODY, SECRET, NOW);
});

it.each([
  ['another body', signed(), BODY.replace('K', 'k'), SECRET],
  ['another secret', signed(), BODY, `whsec_${btoa('another secret that is new')}`],
  ['another id', { ...signed(), 'webhook-id': 'msg_2' }, BODY, SECRET],
  ['a later time', { ...signed(), 'webhook-timestamp': String(NOW.nowMs / 1_000 + 9) }, BODY, SECRET],
  ['no time', { ...signed(), 'webhook-timestamp': '' }, BODY, SECRET],
  ['an old delivery', signed(BODY, SECRET, NOW.nowMs - 301_000), BODY, SECRET],
  ['a delivery of the future', signed(BODY, SECRET, NOW.nowMs + 301_000), BODY, SECRET],
  ['a signature that is no base64', { ...signed(), 'webhook-signature': 'v1,***' }, BODY, SECRET],
  ['a header twice', { ...signed(), 'webhook-id': ['msg_1', 'msg_2'] }, BODY, SECRET],
  ['no signature', { 'webhook-id': 'msg_1', 'webhook-timestamp': '1' }, BODY, SECRET],
  ['a secret that is no base64', signed(), BODY, 'whsec_***'],
  ['an empty secret', signed(), BODY, 'whsec_'],
])('rejects %s', async (_, headers, body, secret) => {
  await expect(verifyWebhook(headers, body, secret, NOW)).rejects.toBeInstanceOf(WebhookError);
});
