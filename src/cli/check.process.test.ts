import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { OperatorError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { startLocalServer } from '../../test/support/local-server.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { SCOPES } from '../access/api-key.ts';
import { createKeyText, keyIdIn } from '../access/key-format.ts';
import { ALL_CHECKS } from '../check/checks/all-checks.ts';
import { createProgram } from './program.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'larder.mjs');
const HEADERS = {
  'x-request-id': 'r1',
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '59',
  'x-ratelimit-reset': '1',
};
const TOKEN = { access_token: 't', token_type: 'Bearer', expires_in: 900, scope: SCOPES.join(' ') };
const TIME = '2026-01-31T00:00:00.000Z';
const FOOD = {
  id: 'manual:1',
  name: 'Made by a check',
  servingSize: { value: 30, unit: 'g' },
  macros: { energy: 100, protein: 1, fat: 2, carbohydrates: 20 },
  source: 'manual_entry',
  created_at: TIME,
  createdAt: TIME,
  updatedAt: TIME,
};
const REFUSAL = { error: { code: 'invalid_api_key', message: 'No such key.', requestId: 'r1', details: {} } };
const OAUTH_REFUSAL = { error: 'invalid_client', error_description: 'No such key.' };
const NOT_FOUND = { error: { code: 'not_found', message: 'No.', requestId: 'r1', details: {} } };

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)(
  '%s while a check has something to remove: it is removed, and no other check begins',
  async (signal, code) => {
    const removed: string[] = [];
    const server = createServer(({ method, url }, response) => {
      const answer = (status: number, body: unknown) =>
        response.writeHead(status, HEADERS).end(JSON.stringify(body));
      if (url === '/v1/auth/token') answer(200, TOKEN);
      else if (method === 'POST' && url === '/v1/foods') {
        child.kill(signal);
        // The child reports the signal before it gets its response.
        child.stderr.once('data', () => answer(201, FOOD));
      } else {
        if (method === 'DELETE') removed.push(url!);
        answer(404, NOT_FOUND);
      }
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const child = spawn(process.execPath, [PROGRAM, 'check', url, '--key', 'key', '--json'], {
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (text) => {
      out += text;
    });
    const end = await once(child, 'close');
    server.closeAllConnections();
    server.close();

    expect(end).toEqual([code, null]);
    expect(removed).toContain('/v1/foods/manual%3A1');
    const names = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).name);
    const last = ALL_CHECKS.findIndex(({ name }) => name === 'a custom food is found at once');
    expect(names).toEqual(ALL_CHECKS.slice(0, last + 1).map(({ name }) => name));
  },
);

test('an unreachable service causes one message, not one for each check', async () => {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const program = await createProgram({ env: {}, out, err });
  const check = program.parseAsync(['node', 'larder', 'check', 'http://127.0.0.1:1', '--json']);
  await expect(check).rejects.toThrow(/^http:\/\/127\.0\.0\.1:1 does not answer \(.*larder serve/);
  expect(out.read()).toBeNull();
});

test('a rejected key is reported once, by its id, and checks that need one are skipped', async () => {
  using folder = tempFolder();
  await using server = await startLocalServer(({ url }, response) => {
    const body = url === '/v1/auth/token' ? OAUTH_REFUSAL : REFUSAL;
    response.writeHead(401, HEADERS).end(JSON.stringify(body));
  });
  const key = createKeyText(1_785_000_000, randomBytes);
  const id = keyIdIn(key)!;
  const port = new URL(server.base).port;
  const firstKey = join(folder.path, 'first-key.txt');
  await writeFile(firstKey, key);
  const ways = [
    [[server.base, '--key', key], {}, `the API key ${id} of --key`],
    [[server.base], { LARDER_KEY: key }, `the API key ${id} of LARDER_KEY`],
    [[], { LARDER_DATA_DIR: folder.path, LARDER_PORT: port }, `the API key ${id} of ${firstKey}`],
    [
      [server.base, '--key', key.slice(0, -1)],
      {},
      'the key of --key, which is not in the form of a whole API key (lrd_…)',
    ],
  ] as const;
  for (const [words, env, name] of ways) {
    const [out, err] = [new PassThrough(), new PassThrough()];
    const program = await createProgram({ env, out, err });
    const check = program.parseAsync(['node', 'larder', 'check', ...words, '--json']);
    await expect(check).rejects.toThrow('The other checks need the key, so they were not run.');
    const lines: string[] = out.setEncoding('utf8').read().trimEnd().split('\n');
    const needing = ALL_CHECKS.findIndex(({ scopes }) => scopes !== undefined);
    expect(lines).toHaveLength(needing + 1);
    expect(JSON.parse(lines.at(-1)!)).toEqual({
      name: 'API key',
      ms: 0,
      outcome: 'failed',
      problem: `The service refuses ${name}: No such key.`,
    });
    expect(lines.join()).not.toContain(key.slice(0, -1));
  }
});

test('the first key of the data folder is used if no URL is given, and never sent to a given URL', async () => {
  using folder = tempFolder();
  await writeFile(join(folder.path, 'first-key.txt'), 'first');
  const keys: (string | undefined)[] = [];
  await using server = await startLocalServer(async (request, response) => {
    if (request.url === '/v1/auth/token') keys.push(JSON.parse(await text(request)).client_secret);
    response.writeHead(404).end('{}');
  });
  const env = { LARDER_DATA_DIR: folder.path, LARDER_PORT: new URL(server.base).port };
  const check = async (...address: string[]) => {
    const [out, err] = [new PassThrough(), new PassThrough()];
    const program = await createProgram({ env, out, err });
    await expect(program.parseAsync(['node', 'larder', 'check', ...address])).rejects.toThrow(OperatorError);
  };
  await check(server.base);
  expect(keys).toEqual([]);
  await check();
  expect(new Set(keys)).toEqual(new Set(['first']));
});
