import { spawn } from 'node:child_process';
import { cpSync, existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const MAX_BYTES = 250_000_000;

interface Locked {
  readonly dev?: true;
  readonly optional?: true;
  readonly devOptional?: true;
  readonly link?: true;
}

const installation = tempFolder();
afterAll(() => installation[Symbol.dispose]());
const modules = join(installation.path, 'node_modules');
const own = ['package.json', 'openapi.json', 'openapi-unversioned.json', 'bin', 'src', 'models', 'packages'];
for (const name of own) cpSync(join(ROOT, name), join(installation.path, name), { recursive: true });
const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const realPath = (path: string) => relative(realpathSync(ROOT), realpathSync(join(ROOT, path)));
// The result of `npm ci --omit=dev --omit=optional`, without the registry.
for (const [path, { dev, optional, devOptional, link }] of Object.entries(packages)) {
  if (!path.startsWith('node_modules/') || dev || optional || devOptional) continue;
  if (link) {
    // The sources of the page are not part of an installation.
    if (!existsSync(join(installation.path, realPath(path)))) continue;
    cpSync(join(ROOT, path), join(installation.path, path), { recursive: true, verbatimSymlinks: true });
    continue;
  }
  // Packages inside others have their own rows.
  const top = join(ROOT, path);
  cpSync(top, join(installation.path, path), {
    recursive: true,
    filter: (file) =>
      file === top ||
      !file
        .slice(top.length + 1)
        .split('/')
        .includes('node_modules'),
  });
}

const program = join(installation.path, 'bin/larder.mjs');
const launch = () => [process.execPath, [program, 'serve']] as const;
/** The cache of compiled code belongs to the project. */
const SETTINGS = { NODE_DISABLE_COMPILE_CACHE: '1' };

async function larder(words: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [program, ...words.split(' ')], {
    env: { ...SETTINGS, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, err };
}

test('packages and program take less than 250 MB without the packages for scans', () => {
  expect(readdirSync(modules)).not.toContain('sharp');
  expect(readdirSync(modules)).not.toContain('onnxruntime-node');
  let bytes = 0;
  for (const file of readdirSync(installation.path, { recursive: true, encoding: 'utf8' })) {
    const { size } = statSync(join(installation.path, file));
    bytes += size;
  }
  expect(bytes).toBeLessThan(MAX_BYTES);
});

test('a service without the packages for scans does everything else, and says what is missing', async () => {
  await using service = await startServiceProcess(SETTINGS, launch);
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  const found = await fetch(`${service.url}/v1/foods/search?q=banana`, { headers });
  expect(await found.json()).not.toHaveLength(0);
  const body = JSON.stringify({ clientId: 'app', contentType: 'image/png' });
  const scan = await fetch(`${service.url}/v1/scan/image`, { method: 'POST', headers, body });
  expect([scan.status, await scan.json()]).toMatchObject([
    503,
    { error: { code: 'unavailable', message: expect.stringMatching(/^Photos cannot be scanned/) } },
  ]);
  const ready = await fetch(`${service.url}/readyz`);
  const missing = ['sharp', 'onnxruntime-node'];
  expect(await ready.json()).toMatchObject({ status: 'ready', missingScanPackages: missing });
  expect(service.out.join('\n')).toContain(`lacks the npm packages ${missing.join(', ')}`);

  const env = { LARDER_DATA_DIR: service.dataDir, LARDER_PORT: new URL(service.url).port };
  expect((await larder('status', env)).out).toMatch(
    /\npackages {3}missing: sharp, onnxruntime-node for scans/,
  );
  const checks = await larder('check --json', env);
  const results = checks.out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(results.filter(({ outcome }) => outcome === 'failed')).toEqual([]);
  expect(results.filter(({ reason }) => /has no scans/.test(reason ?? '')).length).toBeGreaterThan(2);
});

test('a worker without the packages for scans says which to install', async () => {
  await using service = await startServiceProcess(SETTINGS, launch);
  const { err } = await larder('worker', { LARDER_DATA_DIR: service.dataDir });
  expect(err).toMatch(
    /^larder: Photos cannot be scanned: .* sharp, onnxruntime-node\. Run `npm ci` without --omit=optional/m,
  );
});
