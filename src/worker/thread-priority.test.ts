import { execFile } from 'node:child_process';
import { getPriority } from 'node:os';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

/** In a process of its own, as priorities stay: the niceness of the calling thread, then of the pool's threads. */
const PROGRAM = `
import { readFile } from 'node:fs/promises';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { lowerPoolPriority, lowerThreadPriority } from ${JSON.stringify(new URL('thread-priority.ts', import.meta.url))};
await readFile('/proc/self/comm');
lowerPoolPriority();
const pool = readdirSync('/proc/self/task').filter((task) =>
  readFileSync('/proc/self/task/' + task + '/comm', 'utf8').startsWith('libuv-worker'));
const before = getPriority();
lowerThreadPriority();
console.log(JSON.stringify([before, getPriority(), pool.map((task) => getPriority(Number(task)))]));
`;

test.runIf(process.platform === 'linux')(
  'the pool and the calling thread step back, each by itself',
  async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', PROGRAM]);
    const [before, after, pool] = JSON.parse(stdout);
    // Whoever runs this with less priority keeps that.
    const lowered = Math.max(10, getPriority());
    expect([before, after]).toEqual([getPriority(), lowered]);
    expect(new Set(pool)).toEqual(new Set([lowered]));
  },
);
