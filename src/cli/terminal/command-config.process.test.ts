import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import { freePort } from '../../../test/support/free-port.ts';
import { runLarder } from '../../../test/support/run-larder.ts';
import { startServiceProcess } from '../../../test/support/service-process.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PROGRAM = join(ROOT, 'bin/larder.mjs');
const hasOtherFolders = existsSync(join(ROOT, 'data')) || existsSync('/var/lib/larder');

let root: string;
beforeEach(() => {
  const folder = tempFolder();
  root = folder.path;
  return () => folder[Symbol.dispose]();
});

async function larder(cwd: string, words: string, env: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...words.split(' ')], {
    cwd,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err, code: (await ended)[0] };
}

test.skipIf(hasOtherFolders)('commands find the data folder here or below, and name it', async () => {
  const dataDir = join(root, 'data');
  await runLarder({ LARDER_DATA_DIR: dataDir }, 'import', 'starter');
  const below = await larder(root, 'catalogue list --json');
  expect(below.err).toBe(`larder: using the data folder ${dataDir}.\n`);
  expect(JSON.parse(below.out)).toHaveLength(1);
  writeFileSync(join(dataDir, 'larder.env'), 'LARDER_THREADS=2\n');
  await runLarder({ LARDER_DATA_DIR: dataDir }, 'key', 'create', '--tenant', 'a', '--scopes', 'scan');
  const inside = await larder(dataDir, 'key list --json');
  expect(inside.err).toBe(
    `larder: using the data folder ${dataDir} with LARDER_THREADS of its larder.env.\n`,
  );
  expect(JSON.parse(inside.out)).toHaveLength(1);
});

test('two data folders are an error that says how to choose', async () => {
  for (const dataDir of [root, join(root, 'data')]) {
    mkdirSync(join(dataDir, 'catalogues'), { recursive: true });
    writeFileSync(join(dataDir, 'larder.db'), '');
  }
  const { err, code } = await larder(root, 'key list');
  expect(err).toContain('larder: There are several data folders: ');
  expect(err).toContain(root);
  expect(err).toContain('LARDER_DATA_DIR=');
  expect(code).toBe(1);
});

test("a first start stores the service's address, and commands find it by the data folder alone", async () => {
  const port = await freePort();
  await using service = await startServiceProcess({ LARDER_DATA_DIR: root, LARDER_PORT: String(port) });
  expect(statSync(join(root, 'larder.env')).mode & 0o777).toBe(0o600);
  const { out, err, code } = await larder('/', 'status --json', { LARDER_DATA_DIR: root });
  expect(err).toBe(`larder: using the data folder ${root} with LARDER_PORT of its larder.env.\n`);
  expect(JSON.parse(out)).toMatchObject({ address: service.url, state: 'ready' });
  expect(code).toBe(0);
});

test('an unreachable service is an error that says where its address is from', async () => {
  mkdirSync(join(root, 'catalogues'));
  writeFileSync(join(root, 'larder.env'), 'LARDER_PORT=1\n');
  const fromFile = await larder('/', 'check', { LARDER_DATA_DIR: root });
  expect(fromFile.err).toMatch(
    /127\.0\.0\.1:1 does not answer .* from LARDER_PORT of .*larder\.env\. Start the service/,
  );
  const fromEnv = await larder('/', 'check', { LARDER_DATA_DIR: root, LARDER_PORT: '2' });
  expect(fromEnv.err).toMatch(/127\.0\.0\.1:2 does not answer .* from LARDER_PORT of the environment\./);
});

test('a service on another machine needs no data folder', async () => {
  writeFileSync(join(root, 'larder.db'), '');
  mkdirSync(join(root, 'data/catalogues'), { recursive: true });
  const { err } = await larder(root, 'status --url http://127.0.0.1:1');
  expect(err).toMatch(/does not answer .* from the command line\./);
});
