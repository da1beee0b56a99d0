import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { type LocalServer, startLocalServer } from './local-server.ts';
import { openRoundRobin } from './round-robin.ts';

/** A node that returns its name and the request. */
const good = (name: string) =>
  startLocalServer(async (request, response) =>
    response.end(`${name} ${request.method} ${await text(request)}`),
  );

/** A node that crashes with every request. */
async function dying(): Promise<LocalServer & { readonly asked: () => number }> {
  let asked = 0;
  const server = await startLocalServer((request) => {
    asked++;
    request.socket.destroy();
  });
  return Object.assign(server, { asked: () => asked });
}

const ask = async (url: string, init: RequestInit = {}) =>
  fetch(url, init).then(
    (answer) => answer.text(),
    () => 'no answer',
  );

test('requests go to each node in turn', async () => {
  await using first = await good('first');
  await using second = await good('second');
  await using balancer = await openRoundRobin([first.base, second.base]);
  const answers = [await ask(balancer.url), await ask(balancer.url), await ask(balancer.url)];
  expect(answers).toEqual(['first GET ', 'second GET ', 'first GET ']);
});

test('a request to a dying node is repeated only if that is safe', async () => {
  await using dead = await dying();
  await using alive = await good('alive');
  await using balancer = await openRoundRobin([dead.base, alive.base]);
  const nobody = { method: 'POST', body: 'x' };
  const named = { ...nobody, headers: { 'idempotency-key': 'k' } };
  const answers = [];
  for (const init of [{}, {}, nobody, nobody, named, named]) answers.push(await ask(balancer.url, init));
  expect(answers).toEqual([
    ...['alive GET ', 'alive GET '],
    ...['no answer', 'alive POST x'],
    ...['alive POST x', 'alive POST x'],
  ]);
  expect(dead.asked()).toBe(3);
});

test('each of many concurrent requests is offered to every node', async () => {
  const gone = await good('gone');
  await gone[Symbol.asyncDispose]();
  await using alive = await good('alive');
  await using balancer = await openRoundRobin([gone.base, gone.base, alive.base]);
  const answers = await Promise.all(Array.from({ length: 20 }, () => ask(balancer.url)));
  expect(new Set(answers)).toEqual(new Set(['alive GET ']));
});

test('a missing node is skipped for every request', async () => {
  const gone = await good('gone');
  await gone[Symbol.asyncDispose]();
  await using alive = await good('alive');
  await using balancer = await openRoundRobin([gone.base, alive.base]);
  expect(await ask(balancer.url, { method: 'PATCH', body: 'x' })).toBe('alive PATCH x');
  balancer.use([gone.base]);
  expect(await ask(balancer.url)).toBe('no answer');
});

test('an unresponsive node gets no requests until it recovers, and its requests are repeated if that is safe', async () => {
  let isSilent = false;
  await using frozen = await startLocalServer((request, response) => {
    if (!isSilent) response.end(`thawed ${request.method} `);
  });
  await using alive = await good('alive');
  const open = () => openRoundRobin([frozen.base, alive.base], { path: '/', everyMs: 20, timeoutMs: 700 });
  await using reading = await open();
  await using writing = await open();
  isSilent = true;
  expect(await ask(writing.url, { method: 'POST', body: 'x' })).toBe('no answer');
  for (let asked = 0; asked < 4; asked++) expect(await ask(reading.url)).toBe('alive GET ');
  isSilent = false;
  while ((await ask(reading.url)) !== 'thawed GET ');
});
