import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { USER_SCOPES } from '../../src/access/scope.ts';
import { MAX_OWN_LIMIT, OPERATIONS } from '../../src/limits/operations.ts';
import { runLarder } from '../../test/support/run-larder.ts';

const MAIN = join(import.meta.dirname, '../../src/cli/main.ts');
const PROBE = new URL('./heap-probe.mjs', import.meta.url);

/** A service as an operator starts it, whose threads tell how large their heaps are. */
export async function openSoakService() {
  const folder = mkdtempSync(join(tmpdir(), 'larder-soak-'));
  const heaps = mkdtempSync(join(tmpdir(), 'larder-soak-heaps-'));
  const settings = { LARDER_DATA_DIR: join(folder, 'data') };
  const probe = { NODE_OPTIONS: `--import=${PROBE}`, HEAP_PROBE_DIR: heaps };
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: { PATH: process.env['PATH'], LARDER_PORT: '0', ...settings, ...probe },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const lines = createInterface(child.stdout);
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}`)));
    lines.on('line', (line) => {
      const told = JSON.parse(line) as { msg: string; url: string };
      if (told.msg === 'listening') resolve(told.url);
    });
  });
  const limits = OPERATIONS.map((operation) => `${operation}=${MAX_OWN_LIMIT}`).join();
  const words = ['--tenant', 'soak', '--scopes', USER_SCOPES.join(), '--limits', limits, '--json'];
  const { key } = JSON.parse(await runLarder(settings, 'key', 'create', ...words)) as { key: string };
  return {
    url,
    pid: child.pid!,
    key,
    /** Of all threads together, each after its latest full collection. */
    heapBytes: () =>
      readdirSync(heaps)
        .filter((name) => name.startsWith(`${child.pid}-`))
        .reduce((sum, name) => sum + Number(readFileSync(join(heaps, name), 'utf8')), 0),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await once(child, 'exit');
      for (const each of [folder, heaps]) rmSync(each, { recursive: true });
    },
  };
}
