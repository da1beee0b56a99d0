import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const BUILT = 'the page is built';
/** Document, scripts and styles that a browser loads before it shows the day, compressed by gzip. */
const MAX_FIRST_LOAD = 70_000;
const NOT_BUILT = 'the page could not be built';

/** A fresh checkout with its packages. */
const checkout = tempFolder();
const web = join(checkout.path, 'web');
afterAll(() => checkout[Symbol.dispose]());
beforeAll(() => {
  const isSource = (path: string) => !/^(?:node_modules|dist|\.dist-.*)$/.test(basename(path));
  for (const name of ['package.json', 'tsconfig.json', 'bin', 'src', 'models', 'packages', 'web'])
    cpSync(join(ROOT, name), join(checkout.path, name), { recursive: true, filter: isSource });
  symlinkSync(join(ROOT, 'node_modules'), join(checkout.path, 'node_modules'));
});

const start = () =>
  startServiceProcess(
    { LARDER_THREADS: '1', LARDER_SCAN_WORKERS: '0', NODE_DISABLE_COMPILE_CACHE: '1' },
    () => [process.execPath, [join(checkout.path, 'bin/larder.mjs'), 'serve']],
  );
const count = (services: readonly ServiceProcess[], message: string) =>
  services.flatMap(({ out }) => out).filter((line) => line.includes(message)).length;

async function isPageServed({ url }: ServiceProcess): Promise<boolean> {
  const answer = await fetch(url, { headers: { accept: 'text/html' } });
  return (await answer.text()).includes('<div id="app">');
}

test('of services that start at once one builds the page, and all serve it', async () => {
  const services = await Promise.all([start(), start(), start()]);
  try {
    expect(count(services, BUILT)).toBe(1);
    for (const service of services) expect(await isPageServed(service)).toBe(true);
    expect(readdirSync(web).filter((name) => /^\.dist-\d/.test(name))).toEqual([]);
  } finally {
    for (const service of services) await service[Symbol.asyncDispose]();
  }
});

test('the first load of the page stays small', () => {
  const dist = join(web, 'dist');
  const { files } = JSON.parse(readFileSync(join(dist, 'files.json'), 'utf8')) as {
    files: Record<string, { bytes: number; gzip?: number }>;
  };
  const document = readFileSync(join(dist, 'index.html'), 'utf8');
  const names = document.matchAll(/"\.\/(assets\/[^"]+\.(?:js|css))"/g).map(([, name]) => name!);
  const sizes = ['index.html', ...names].map((name) => files[name]!.gzip ?? files[name]!.bytes);
  expect(sizes.length).toBeGreaterThan(2);
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(MAX_FIRST_LOAD);
});

test('a second start does not build', async () => {
  await using service = await start();
  expect(count([service], BUILT)).toBe(0);
  expect(await isPageServed(service)).toBe(true);
});

test('changed sources are built again', async () => {
  appendFileSync(join(web, 'src/main.tsx'), '\n// Changed.\n');
  await using service = await start();
  expect(count([service], BUILT)).toBe(1);
});

test('where the build fails, the API is served and the log says what to do', async () => {
  appendFileSync(join(web, 'src/main.tsx'), "import './gone.ts';\n");
  await using service = await start();
  const warning = service.out.find((line) => line.includes(NOT_BUILT));
  expect(warning).toContain(`run \`npm ci --omit=dev && npm run build-page\` in ${checkout.path}`);
  expect(warning).toContain('gone.ts');
  expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  // The page of before is still there.
  expect(existsSync(join(web, 'dist'))).toBe(true);
});
