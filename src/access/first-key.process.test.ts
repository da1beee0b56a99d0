import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '@larder/core/errors.ts';
import { beforeEach, expect, test } from 'vitest';
import { sql } from '../db/sql.ts';
import { type OpenSqlDatabase, openDatabase } from '../db/sqlite/database.ts';
import { APP_SCOPES } from './api-key.ts';
import { createFirstKey, type FirstKeyOptions, firstKeyFile } from './first-key.ts';
import { KeyStore } from './key-store.ts';

let dir: string;
let db: OpenSqlDatabase;
let options: FirstKeyOptions;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'larder-first-key-'));
  db = await openDatabase({ file: join(dir, 'larder.db') });
  const store = new KeyStore(db);
  options = { store, file: firstKeyFile(dir), nowMs: () => 1_800_000_000_000, randomBytes };
  return async () => {
    await db.close();
    await rm(dir, { recursive: true });
  };
});
const keyFile = () => join(dir, 'first-key.txt');

test('the first key of an empty folder has all scopes of apps and lies in a file that only its owner can read', async () => {
  const issued = (await createFirstKey(options))!;
  expect(issued.key).toMatchObject({ tenant: 'default', scopes: APP_SCOPES });
  expect(await readFile(keyFile(), 'utf8')).toBe(issued.text);
  expect((await stat(keyFile())).mode & 0o777).toBe(0o600);
  expect(await readdir(dir)).not.toContainEqual(expect.stringMatching(/\.tmp$/));
});

test('a service with keys creates no first key', async () => {
  await createFirstKey(options);
  await rm(keyFile());
  expect(await createFirstKey(options)).toBeUndefined();
  expect(await readdir(dir)).not.toContain('first-key.txt');
});

test('a start interrupted after the file was written loses no key', async () => {
  const left = (await createFirstKey(options))!;
  await sql`delete from api_keys`.all(db.db);
  expect((await createFirstKey(options))?.text).toBe(left.text);
  expect(await options.store.find(left.key.id)).toBeDefined();
});

test('a file with other content is named and left unchanged', async () => {
  await writeFile(keyFile(), 'my notes');
  await expect(createFirstKey(options)).rejects.toThrow(OperatorError);
  await expect(createFirstKey(options)).rejects.toThrow(keyFile());
  expect(await readFile(keyFile(), 'utf8')).toBe('my notes');
});

test('concurrent callers in one process create one key', async () => {
  const issued = await Promise.all(Array.from({ length: 10 }, () => createFirstKey(options)));
  expect(issued.filter((one) => one !== undefined)).toHaveLength(1);
  expect(await options.store.list({ limit: 10 })).toHaveLength(1);
});

test('processes that start together on one empty folder migrate once and create one key', async () => {
  const shared = join(dir, 'shared');
  const [modes, keys, configs] = ['app/open-backend', 'app/keys', 'config/config'].map((file) =>
    JSON.stringify(new URL(`../${file}.ts`, import.meta.url).href),
  );
  const script = `
    const { openDatabase } = await import(${modes});
    const { openKeyStore, ensureFirstKey } = await import(${keys});
    const { readConfig } = await import(${configs});
    const config = readConfig({ LARDER_DATA_DIR: ${JSON.stringify(shared)} });
    const db = await openDatabase(config);
    const issued = await ensureFirstKey(config, openKeyStore(db));
    process.stdout.write(issued?.text ?? '');
    await db.close();`;
  const start = () =>
    promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script], { env: {} });
  const runs = await Promise.all(Array.from({ length: 4 }, start));
  const texts = runs.map(({ stdout }) => stdout).filter((text) => text !== '');
  expect(texts).toEqual([await readFile(join(shared, 'first-key.txt'), 'utf8')]);
});

test('nodes that race with their own files and lose keep no invalid key', async () => {
  const elsewhere = join(dir, 'elsewhere');
  const [here, there] = await Promise.all([
    createFirstKey(options),
    createFirstKey({ ...options, file: firstKeyFile(elsewhere) }),
  ]);
  const [issued] = [here, there].filter((one) => one !== undefined);
  const kept = await Promise.allSettled(
    [keyFile(), join(elsewhere, 'first-key.txt')].map((file) => readFile(file, 'utf8')),
  );
  expect(kept.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))).toEqual([issued!.text]);
});
