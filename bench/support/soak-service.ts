import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { USER_SCOPES } from '../../src/access/api-key.ts';
import { LIMITED_OPERATIONS, MAX_OWN_LIMIT } from '../../src/limits/operations.ts';

const ROOT = join(import.meta.dirname, '../..');
const PROBE = new URL('./heap-probe.mjs', import.meta.url);

/** Operations whose limits version 0.1.0 does not know. */
const LATER: ReadonlySet<string> = new Set(['searchTotal', 'import']);

export interface SoakServiceOptions {
  /** Another checkout, to compare with. */
  readonly root?: string;
  readonly settings?: Readonly<Record<string, string>>;
}

/** The settings of the container image and of the systemd unit. */
const NATIVE_MEMORY = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '131072' };

/** A service as an operator starts it: a separate process, and not its first start, so that its code is compiled. */
export async function openSoakService({ root = ROOT, settings = {} }: SoakServiceOptions = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'larder-soak-'));
  const main = join(root, 'src/cli/main.ts');
  const env = {
    PATH: process.env['PATH'],
    NODE_COMPILE_CACHE: join(folder, 'compiled'),
    LARDER_PORT: '0',
    ...NATIVE_MEMORY,
    ...settings,
    LARDER_DATA_DIR: join(folder, 'data'),
  };
  const first = await serve(main, env);
  await stop(first.child);
  const { child, url } = await serve(main, env);
  const known = LIMITED_OPERATIONS.filter((operation) => root === ROOT || !LATER.has(operation));
  const limits = known.map((operation) => `${operation}=${MAX_OWN_LIMIT}`).join();
  // A tenant that exists in every checkout.
  const words = ['--tenant', 'default', '--scopes', USER_SCOPES.join(), '--limits', limits, '--json'];
  const created = execFileSync(process.execPath, [main, 'key', 'create', ...words], {
    env,
    encoding: 'utf8',
  });
  return {
    url,
    pid: child.pid!,
    key: (JSON.parse(created) as { key: string }).key,
    async [Symbol.asyncDispose]() {
      await stop(child);
      rmSync(folder, { recursive: true });
    },
  };
}

/** Start options with which threads also write the sizes of their heaps. */
export async function openProbedService() {
  const heaps = mkdtempSync(join(tmpdir(), 'larder-soak-heaps-'));
  const probe = { NODE_OPTIONS: `--import=${PROBE}`, HEAP_PROBE_DIR: heaps };
  const service = await openSoakService({ settings: probe });
  return {
    ...service,
    /** Heap of all threads together, each after its latest full collection. */
    heapBytes: () =>
      readdirSync(heaps)
        .filter((name) => name.startsWith(`${service.pid}-`))
        .reduce((sum, name) => sum + Number(readFileSync(join(heaps, name), 'utf8')), 0),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]();
      rmSync(heaps, { recursive: true });
    },
  };
}

async function serve(main: string, env: Readonly<Record<string, string | undefined>>) {
  const child = spawn(process.execPath, [main, 'serve'], { env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    createInterface(child.stdout).on('line', (line) => {
      const told = JSON.parse(line) as { msg: string; url: string };
      if (told.msg === 'listening') resolve(told.url);
    });
  });
  return { child, url };
}

async function stop(child: ReturnType<typeof spawn>): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}
