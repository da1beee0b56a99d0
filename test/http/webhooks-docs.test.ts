import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { freePort } from '../support/free-port.ts';
import { openReceiver } from '../support/open-webhooks.ts';
import { runPage } from '../support/run-page.ts';
import { openTestService } from '../support/test-service.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'webhooks.md');
const settings = { LARDER_WEBHOOK_NETWORKS: '127.0.0.0/8' };

test.skipIf(spawnSync('curl', ['--version']).error !== undefined)(
  'the commands of docs/webhooks.md run, print the documented output, and their deliveries arrive',
  async () => {
    await using service = await openTestService({ settings });
    await using receiver = await openReceiver();
    await runPage(PAGE, { LARDER: service.url, KEY: service.key, RECEIVER: receiver.url });
    expect(receiver.received.map(({ body }) => JSON.parse(body).type)).toEqual(
      expect.arrayContaining(['diary.changed', 'webhook.test']),
    );
  },
);

test('the receiver of docs/webhooks.md verifies deliveries, and rejects forged ones', async () => {
  const [, code] = /<!-- example: verify -->\n```js\n([\s\S]*?)^```$/m.exec(readFileSync(PAGE, 'utf8'))!;
  const file = join(import.meta.dirname, `receiver-${process.pid}.tmp.mjs`);
  writeFileSync(file, code!);
  await using service = await openTestService({ settings });
  const ask = async (method: string, path: string, body?: object): Promise<Record<string, string>> => {
    const response = await fetch(service.url + path, {
      method,
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return (await response.json()) as Record<string, string>;
  };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}/`;
  const { id, secret = '' } = await ask('POST', '/v1/webhooks', {
    url,
    events: ['food.changed', 'diary.changed'],
  });
  const child = spawn(process.execPath, [file], {
    env: { WEBHOOK_SECRET: secret, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    await expect
      .poll(() => fetch(url, { method: 'POST', body: '{}' }).then(({ status }) => status, String))
      .toBe(400);
    await ask('POST', `/v1/webhooks/${id}/test`);
    expect((await lines.next()).value).toBe('webhook.test {}');
    const food = await ask('POST', '/v1/foods', {
      name: 'Broth',
      servingSize: { value: 100, unit: 'g' },
      macros: { energy: 5, protein: 1, fat: 0, carbohydrates: 0 },
    });
    expect((await lines.next()).value).toBe(
      `food.changed ${JSON.stringify({ id: food['id'], op: 'upsert' })}`,
    );
    await ask('PUT', '/v1/users/ann/goals', { calories: 2_000 });
    const [type, data = ''] = String((await lines.next()).value).split(' ');
    const feed = await ask('GET', '/v1/users/ann/changes');
    expect([type, JSON.parse(data)]).toEqual(['diary.changed', { userId: 'ann', cursor: feed['cursor'] }]);
  } finally {
    const ended = once(child, 'close');
    child.kill();
    await ended;
    rmSync(file);
  }
});
