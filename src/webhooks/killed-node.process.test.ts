import { once } from 'node:events';
import { expect, test } from 'vitest';
import { openReceiver } from '../../test/support/open-webhooks.ts';
import { startServiceProcess } from '../../test/support/service-process.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

const NETWORKS = { LARDER_WEBHOOK_NETWORKS: '127.0.0.0/8' };

test('deliveries that a killed service had committed but not sent arrive from the next one', async () => {
  using folder = tempFolder();
  await using receiver = await openReceiver();
  // Deliveries before the kill get no response.
  receiver.answer = () => {};
  const settings = { ...NETWORKS, LARDER_DATA_DIR: folder.path };
  const killed = await startServiceProcess(settings);
  const ask = async (method: string, path: string, body: object) => {
    const headers = { authorization: `Bearer ${killed.key}`, 'content-type': 'application/json' };
    const response = await fetch(killed.url + path, { method, headers, body: JSON.stringify(body) });
    expect(response.status).toBeLessThan(300);
  };
  await ask('POST', '/v1/webhooks', { url: receiver.url, events: ['diary.changed'] });
  const users = Array.from({ length: 20 }, (_, at) => `user-${at}`);
  for (const user of users) await ask('PUT', `/v1/users/${user}/goals`, { calories: 2_000 });
  killed.child.kill('SIGKILL');
  await once(killed.child, 'close');

  receiver.received.length = 0;
  receiver.answer = (_, response) => response.writeHead(204).end();
  await using _next = await startServiceProcess(settings);
  const told = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).data.userId));
  // Deliveries in progress follow when their leases have expired.
  await expect.poll(() => told().size).toBe(users.length);
});
