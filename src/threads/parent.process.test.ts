import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/**
 * Prints the niceness of the main thread, then of the pool's threads. It runs in a separate process, because
 * priorities are permanent.
 */
const PROGRAM = `
import { readFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { lowerProcessPriority } from ${JSON.stringify(new URL('parent.ts', import.meta.url))};
lowerProcessPriority();
await readFile('/proc/self/comm');
const pool = readdirSync('/proc/self/task').filter((task) =>
  readFileSync('/proc/self/task/' + task + '/comm', 'utf8').startsWith('libuv-worker'));
console.log(JSON.stringify([getPriority(), pool.map((task) => getPriority(Number(task)))]));
`;

test.runIf(process.platform === 'linux')(
  'a process lowers its priority with the threads that decode images for it',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
    const [main, pool] = JSON.parse(stdout);
    // A test run with lower priority keeps it.
    const lowered = Math.max(10, getPriority());
    expect(main).toBe(lowered);
    expect(new Set(pool)).toEqual(new Set([lowered]));
  },
);
