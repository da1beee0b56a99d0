import { once } from 'node:events';
import { expect, inject, test } from 'vitest';
import { clusterSettings } from '../support/cluster-settings.ts';
import { openReceiver } from '../support/open-webhooks.ts';
import { startServiceProcess } from '../support/service-process.ts';

const USERS = Array.from({ length: 20 }, (_, at) => `user-${at}`);

test.skipIf(inject('cluster') === undefined)(
  'deliveries that a killed node had committed but not sent arrive from another node',
  async () => {
    const settings = {
      ...(await clusterSettings()),
      LARDER_THREADS: '1',
      LARDER_WEBHOOK_NETWORKS: '127.0.0.0/8',
    };
    await using receiver = await openReceiver();
    // Deliveries before the kill get no response.
    receiver.answer = () => {};
    await using killed = await startServiceProcess(settings);
    const send = async (method: string, path: string, body: object) => {
      const headers = { authorization: `Bearer ${killed.key}`, 'content-type': 'application/json' };
      const response = await fetch(killed.url + path, { method, headers, body: JSON.stringify(body) });
      expect(response.status).toBeLessThan(300);
    };
    await send('POST', '/v1/webhooks', { url: receiver.url, events: ['diary.changed'] });
    for (const user of USERS) await send('PUT', `/v1/users/${user}/goals`, { calories: 2_000 });
    killed.child.kill('SIGKILL');
    await once(killed.child, 'close');

    receiver.received.length = 0;
    receiver.answer = (_, response) => response.writeHead(204).end();
    await using _other = await startServiceProcess(settings, undefined, false);
    const told = () => new Set(receiver.received.map(({ body }) => JSON.parse(body).data.userId));
    // Deliveries in progress follow when their leases have expired.
    await expect.poll(() => told().size).toBe(USERS.length);
  },
);
