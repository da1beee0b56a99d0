import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { testOperation } from '../../../../test/support/test-operation.ts';
import { openTestServer } from '../../../../test/support/test-server.ts';
import { closeGracefully } from './listening.ts';

/** A server with an operation that answers when the test says so. */
async function openSlowServer() {
  const entered = Promise.withResolvers<void>();
  const mayAnswer = Promise.withResolvers<string>();
  const operation = testOperation({
    method: 'GET',
    path: '/slow',
    handle: () => {
      entered.resolve();
      return mayAnswer.promise;
    },
  });
  const fixture = await openTestServer({ operations: [operation] });
  const agent = new Agent({ keepAlive: true });
  return { fixture, agent, port: fixture.port, entered: entered.promise, answer: mayAnswer.resolve };
}

it('a request under way is finished, and its kept-alive connection closed after it', async () => {
  const { fixture, agent, port, entered, answer } = await openSlowServer();
  const request = get({ port, path: '/slow', agent });
  await entered;
  const closed = closeGracefully(fixture.server, 60_000);
  answer('"done"');
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  expect((await response.toArray()).join('')).toBe('"done"');
  await closed;
  agent.destroy();
  await fixture[Symbol.asyncDispose]();
});

it('a stopping server accepts no connections', async () => {
  const { fixture, agent, port } = await openSlowServer();
  await closeGracefully(fixture.server, 60_000);
  const [error] = await once(get({ port, path: '/slow', agent }), 'error');
  expect(error.code).toBe('ECONNREFUSED');
  await fixture[Symbol.asyncDispose]();
});

it('a request that takes longer than the time-out is cut off', async () => {
  const { fixture, agent, port, entered } = await openSlowServer();
  const request = get({ port, path: '/slow', agent });
  const failed = once(request, 'error');
  await entered;
  await closeGracefully(fixture.server, 1);
  expect((await failed)[0].code).toBe('ECONNRESET');
  await fixture[Symbol.asyncDispose]();
});
