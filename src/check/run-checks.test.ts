import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Check, CheckResult } from './check.ts';
import { CheckSkip } from './checked-response.ts';
import { type CheckRun, runChecks } from './run-checks.ts';

const LIMITS = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59', 'x-ratelimit-reset': '1' };
const ALL_HEADERS = { ...LIMITS, 'x-request-id': 'r1' };
const TOKEN = { access_token: 't', token_type: 'Bearer', expires_in: 900, scope: 'foods:read scan' };

const json =
  (status: number, body: unknown, headers: Record<string, string> = ALL_HEADERS): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(JSON.stringify(body));

async function collect(run: CheckRun): Promise<CheckResult[]> {
  const results: CheckResult[] = [];
  for await (const result of runChecks(run)) results.push(result);
  return results;
}

/** The result of one check against a server with these responses. */
async function outcome(
  answer: RequestListener,
  check: Partial<Check>,
  { key = 'key', patience = 1 }: { key?: string; patience?: number } = {},
): Promise<unknown> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    if (request.url === '/v1/auth/token') json(200, TOKEN)(request, response);
    else answer(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const full: Check = {
    name: 'it',
    scopes: ['foods:read'],
    timeoutMs: 60_000,
    run: async () => {},
    ...check,
  };
  try {
    const results = await collect({ url, key, mark: 'abc', checks: [full], patience, nowMs: () => 0 });
    return { ...results[0], asked };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const askOnce: Check['run'] = async (session) => {
  (await session.ask('GET', '/thing')).expect(200).read(z.object({ count: z.int() }));
};

test('a check that does not throw passes', async () => {
  expect(await outcome(json(200, { count: 1 }), { run: askOnce })).toMatchObject({ outcome: 'passed' });
});

test.each([
  [
    'another status',
    json(404, { error: { code: 'not_found', message: 'No.', requestId: 'r1', details: {} } }),
    /^GET \/thing answered 404 instead of 200: .*not_found.* \(request r1\)\.$/,
  ],
  [
    'an error without the error body',
    json(404, {}),
    /^GET \/thing answered 404 with \{\}, where error is wrong/,
  ],
  ['another shape', json(200, { count: 'many' }), /^GET \/thing answered 200 with .*, where count is wrong/],
  [
    'no JSON',
    (_, response) => response.writeHead(200, ALL_HEADERS).end('<html>'),
    /a body that is no JSON: <html>/,
  ],
  ['no request id', json(200, { count: 1 }, LIMITS), /was answered without X-Request-Id\.$/],
  [
    'no word of limits',
    json(200, { count: 1 }, { 'x-request-id': 'r1' }),
    /was answered with null as x-ratelimit-limit, not a whole number/,
  ],
  ['a connection that breaks', (request) => request.socket.destroy(), /^GET \/thing failed: /],
] satisfies [string, RequestListener, RegExp][])(
  '%s fails it with one sentence',
  async (_, answer, problem) => {
    expect(await outcome(answer, { run: askOnce })).toMatchObject({
      outcome: 'failed',
      problem: expect.stringMatching(problem),
    });
  },
);

test('a service that does not respond fails it after its time limit', async () => {
  expect(await outcome(() => {}, { run: askOnce, timeoutMs: 50 })).toMatchObject({
    outcome: 'failed',
    problem: 'GET /thing was not answered within the time of this check.',
  });
});

test('patience multiplies the time limits', async () => {
  const slow: RequestListener = (request, response) =>
    setTimeout(() => json(200, { count: 1 })(request, response), 50);
  const check = { run: askOnce, timeoutMs: 10 };
  expect(await outcome(slow, check)).toMatchObject({ outcome: 'failed' });
  expect(await outcome(slow, check, { patience: 10_000 })).toMatchObject({ outcome: 'passed' });
});

test('a check without the needed scope is skipped, and its result says so', async () => {
  expect(await outcome(json(200, {}), { scopes: ['scan', 'diary:write'] })).toMatchObject({
    outcome: 'skipped',
    reason: 'The key lacks diary:write.',
  });
});

test('checks that need a key are skipped without one', async () => {
  const run = { url: 'http://127.0.0.1:1', key: undefined, mark: 'abc', nowMs: () => 0 };
  const check: Check = { name: 'it', scopes: [], timeoutMs: 60_000, run: async () => {} };
  expect(await collect({ ...run, checks: [check] })).toEqual([
    { name: 'it', ms: 0, outcome: 'skipped', reason: 'No key was given; --key or LARDER_KEY takes one.' },
  ]);
});

test.each([
  ['passed', async () => {}],
  ['failed', async () => expect.unreachable('a fault of the check itself')],
  ['skipped', () => Promise.reject(new CheckSkip('Nothing to try.'))],
] as const)('objects that a check created are removed after it %s, the last one first', async (end, work) => {
  const run: Check['run'] = async (session) => {
    session.later(async (cleaning) => void (await cleaning.ask('DELETE', '/first')));
    session.later(async (cleaning) => void (await cleaning.ask('DELETE', '/second')));
    await work();
  };
  expect(await outcome(json(200, {}), { run })).toMatchObject({
    outcome: end,
    asked: ['POST /v1/auth/token', 'POST /v1/auth/token', 'DELETE /second', 'DELETE /first'],
  });
});

test('leftovers that cannot be removed fail a passed check', async () => {
  const run: Check['run'] = async (session) => {
    session.later(async (cleaning) => void (await cleaning.ask('DELETE', '/thing')).expect(204));
  };
  expect(await outcome(json(200, {}), { run })).toMatchObject({
    outcome: 'failed',
    problem: expect.stringMatching(/^DELETE \/thing answered 200 instead of 204/),
  });
});
