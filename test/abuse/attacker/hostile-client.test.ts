import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startLocalServer } from '../../support/local-server.ts';
import { HostileClient } from './hostile-client.ts';
import { inParallel } from './in-parallel.ts';

test('responses are counted by status, and interrupted ones separately', async () => {
  await using server = await startLocalServer((request, answer) => {
    if (request.url === '/cut') return void request.socket.destroy();
    answer.statusCode = request.url === '/no' ? 404 : 200;
    answer.end(`${request.method} from ${request.socket.remoteAddress}`);
  });
  const client = new HostileClient({ url: server.base });
  expect(await client.send('/yes', { method: 'POST', body: 'x', localAddress: '127.0.0.9' })).toMatchObject({
    status: 200,
    body: 'POST from 127.0.0.9',
    headers: { connection: 'keep-alive' },
  });
  await client.send('/no');
  expect((await client.send('/no/../no', { isRaw: true })).status).toBe(200);
  await client.send('/no');
  expect((await client.send('/cut')).status).toBe(0);
  expect([...client.counts]).toEqual([
    ['200', 2],
    ['404', 2],
    ['none', 1],
  ]);
  client.close();
});

test('items run once each, at most the given number in parallel, and none after the end', async () => {
  let [now, most] = [0, 0];
  const done: number[] = [];
  const work = async (index: number) => {
    most = Math.max(most, ++now);
    await pause(1);
    now--;
    done.push(index);
  };
  expect(await inParallel({ count: 50, width: 7, endsAtMs: Number.POSITIVE_INFINITY }, work)).toBe(50);
  expect(most).toBe(7);
  expect(done.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index));
  expect(await inParallel({ count: 50, width: 7, endsAtMs: performance.now() - 1 }, work)).toBe(0);
});
