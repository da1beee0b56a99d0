import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { CheckResult } from '../../src/check/check.ts';
import { ALL_CHECKS } from '../../src/check/checks/all-checks.ts';
import { runChecks } from '../../src/check/run-checks.ts';
import { CHECK_TIMEOUT_MS } from '../support/run-check.ts';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startWorkerProcess } from '../support/worker-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
/** A reserved port on which nothing listens. */
const CLOSED_PORT = '1';
/** Files that the image copies from the project, besides the packages that npm installs. */
const copied = [
  ...dockerfile
    .split(/^FROM /m)
    .at(-1)!
    .matchAll(/^COPY (?!--)(.+) \S+$/gm),
].flatMap(([, sources]) => sources!.split(' '));

test('all files that the image copies are in its build context', () => {
  expect(copied).toContain('src');
  for (const source of copied) expect(ignored).toContain(`!${source}`);
});

test('the image runs as a numeric user other than root', () => {
  expect(dockerfile).toMatch(/^USER 1000:1000$/m);
});

test('the health check of the image detects whether a service or worker is alive', async () => {
  const check = JSON.parse(/^HEALTHCHECK .*\n +CMD (.+)$/m.exec(dockerfile)![1]!);
  const code = async (settings: Readonly<Record<string, string>>) => {
    const env = { LARDER_PORT: CLOSED_PORT, LARDER_WORKER_PORT: CLOSED_PORT, ...settings };
    const [code] = await once(spawn(process.execPath, check.slice(1), { env }), 'exit');
    return code;
  };
  await using service = await startServiceProcess({ LARDER_SCAN_WORKERS: '0' });
  await using worker = startWorkerProcess({ LARDER_DATA_DIR: service.dataDir, LARDER_WORKER_PORT: '0' });
  await worker.started;
  const { port } = worker.lines.find((line) => line.port !== undefined)!;
  expect(await code({ LARDER_PORT: new URL(service.url).port })).toBe(0);
  expect(await code({ LARDER_WORKER_PORT: `${port}` })).toBe(0);
  expect(await code({})).toBe(1);
});

/** Runs a command of the image's build; `$0` is the project. */
async function shell(command: string, cwd: string): Promise<void> {
  const [code] = await once(spawn('sh', ['-c', command, ROOT], { cwd, stdio: 'inherit' }), 'exit');
  expect(code, command).toBe(0);
}

// Checks files only: missing libraries in the base image are noticed when the image is built.
test('the files and packages in the image are sufficient to pass every check', {
  timeout: CHECK_TIMEOUT_MS,
}, async () => {
  using image = tempFolder();
  for (const source of copied) {
    cpSync(join(ROOT, source), join(image.path, source), {
      recursive: true,
      filter: (path) => !basename(path).endsWith('.test.ts'),
    });
  }
  // Copies the targets of links, because later steps remove files.
  await shell('cp -rlH "$0/node_modules" . 2>/dev/null || cp -rH "$0/node_modules" .', image.path);
  await shell(/^RUN (rm -rf node_modules(?:.*\\\n)*.*)$/m.exec(dockerfile)![1]!, image.path);
  const [, from, to] = /^COPY --from=page \/app\/(\S+) (\S+)$/m.exec(dockerfile)!;
  await promisify(execFile)(process.execPath, [join(ROOT, 'web/build.ts')]);
  cpSync(join(ROOT, from!), join(image.path, to!), { recursive: true });
  const [, ...program] = JSON.parse(/^ENTRYPOINT (.+)$/m.exec(dockerfile)![1]!);
  const command = JSON.parse(/^CMD (.+)$/m.exec(dockerfile)![1]!);
  // Otherwise compiled code would be cached in the packages of the project, under names that no later start
  // uses.
  const env = { NODE_DISABLE_COMPILE_CACHE: '1' };
  await using service = await startServiceProcess(env, () => [
    process.execPath,
    [...program.map((path: string) => join(image.path, path)), ...command],
  ]);
  const page = await fetch(service.url, { headers: { accept: 'text/html' } });
  expect(await page.text()).toContain('<div id="app">');
  const results: CheckResult[] = [];
  const run = {
    url: service.url,
    key: service.key,
    mark: 'a1b2c3d4e5f60718',
    checks: ALL_CHECKS,
    patience: 20,
    nowMs: () => 0,
  };
  for await (const result of runChecks(run)) results.push(result);
  expect(results).toEqual(ALL_CHECKS.map(({ name }) => ({ name, ms: 0, outcome: 'passed' })));
});
