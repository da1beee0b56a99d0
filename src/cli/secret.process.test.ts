import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runLarder } from '../../test/support/run-larder.ts';
import { startServiceProcess } from '../../test/support/service-process.ts';
import { tempFolder } from '../../test/support/temp-folder.ts';

const folder = tempFolder();
afterAll(() => folder[Symbol.dispose]());
const SETTINGS = { LARDER_DATA_DIR: folder.path, LARDER_THREADS: '1', LARDER_SCAN_WORKERS: '0' };

async function start() {
  const service = await startServiceProcess(SETTINGS);
  const key = readFileSync(join(folder.path, 'first-key.txt'), 'utf8').trim();
  const ask = (path: string, credential: string, body?: object) =>
    fetch(`${service.url}${path}`, {
      headers: { authorization: `Bearer ${credential}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  return {
    service,
    async token(): Promise<string> {
      const answer = await ask('/v1/auth/token', '', {
        grant_type: 'client_credentials',
        client_secret: key,
        user_id: 'ann',
      });
      return ((await answer.json()) as { access_token: string }).access_token;
    },
    /** The secret of a new webhook. */
    async webhook(): Promise<string> {
      const answer = await ask('/v1/webhooks', key, {
        url: 'https://app.example/',
        events: ['diary.changed'],
      });
      return ((await answer.json()) as { secret: string }).secret;
    },
    status: async (token: string) => (await ask('/v1/users/ann/diary?date=2026-01-31', token)).status,
  };
}

test('tokens and webhooks outlive a rotation of the secret, which needs a stopped service', async () => {
  const before = await start();
  const token = await before.token();
  const webhookSecret = await before.webhook();
  expect(webhookSecret).toMatch(/^whsec_/);
  const secret = readFileSync(join(folder.path, 'secret.key'), 'utf8');
  await expect(runLarder(SETTINGS, 'secret', 'rotate')).rejects.toThrow(/stop the service first/);
  await before.service[Symbol.asyncDispose]();

  expect(JSON.parse(await runLarder(SETTINGS, 'secret', 'rotate', '--json'))).toEqual({ sealed: 2, lost: 0 });
  expect(readFileSync(join(folder.path, 'secret.key'), 'utf8')).not.toBe(secret);
  expect(existsSync(join(folder.path, 'secret.key.previous'))).toBe(false);
  for (const name of readdirSync(folder.path).filter((name) => name.startsWith('larder.db')))
    for (const secretText of ['"kty"', webhookSecret])
      expect(readFileSync(join(folder.path, name)).includes(secretText)).toBe(false);
  const after = await start();
  expect(await after.status(token)).toBe(200);
  await after.service[Symbol.asyncDispose]();
});
