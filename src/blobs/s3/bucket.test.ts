import { expect, test } from 'vitest';
import { hedgedRequest } from './bucket.ts';

const SOON_MS = 5;
const NEVER_MS = 1_000_000;

/** A server that answers only the `answered`-th try, and records which tries still wait. */
function silentServer(answered: number) {
  const signals: AbortSignal[] = [];
  let most = 0;
  const send = async (signal: AbortSignal): Promise<Response> => {
    signals.push(signal);
    most = Math.max(most, signals.filter(({ aborted }) => !aborted).length);
    return signals.length === answered ? new Response(`answer to ${answered}`) : new Promise(() => {});
  };
  return { send, most: () => most, waitedFor: () => signals.map(({ aborted }) => !aborted) };
}

test('an unanswered request is repeated until the server responds', async () => {
  const server = silentServer(4);
  const response = await hedgedRequest(server.send, SOON_MS);
  expect(await response.text()).toBe('answer to 4');
  expect(server.waitedFor()).toEqual([false, false, false, true]);
});

test('beside the first try there is at most one other at any time', async () => {
  const server = silentServer(9);
  await hedgedRequest(server.send, SOON_MS);
  expect(server.most()).toBe(2);
});

test('the first try continues, however often the second one is replaced', async () => {
  const server = silentServer(0);
  const first = Promise.withResolvers<Response>();
  const renewed = Promise.withResolvers<void>();
  let tries = 0;
  const response = hedgedRequest((signal) => {
    if (++tries === 3) renewed.resolve();
    return Promise.race([server.send(signal), ...(tries === 1 ? [first.promise] : [])]);
  }, SOON_MS);
  await renewed.promise;
  first.resolve(new Response('late'));
  expect(await (await response).text()).toBe('late');
  expect(server.waitedFor().filter(Boolean)).toHaveLength(1);
  expect(server.waitedFor()[0]).toBe(true);
});

test('an answer in time needs one try', async () => {
  const server = silentServer(1);
  await hedgedRequest(server.send, NEVER_MS);
  expect(server.waitedFor()).toEqual([true]);
});

test('it fails as the first try does', async () => {
  await expect(hedgedRequest(() => Promise.reject(new Error('gone')), NEVER_MS)).rejects.toThrow('gone');
});
