#!/usr/bin/env node
// Starts Larder on the Node that it needs: this one when it is new enough, else the one that npm
// brought as an optional dependency. Plain JavaScript, because an old Node has to be able to read it.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** How often a process that npm started looks whether its parent is still there. */
const PARENT_CHECK_INTERVAL_MS = 250;
const NEEDED_MAJOR = 24;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const main = join(root, 'src', 'cli', 'main.ts');

if (process.env.npm_lifecycle_event !== undefined && process.platform !== 'win32') stopWithParent();

if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) {
  // Threads and processes that are started by this one load it first, too.
  process.execArgv.push(`--import=${new URL('stripped-types.mjs', import.meta.url)}`);
  await import('./stripped-types.mjs');
  await import(main);
} else {
  const executable = process.platform === 'win32' ? 'node.exe' : 'node';
  const bundled = join(
    root,
    'node_modules',
    `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`,
    'bin',
    executable,
  );
  if (!existsSync(bundled)) {
    process.stderr.write(
      `larder needs Node ${NEEDED_MAJOR} or newer; this is ${process.version} and npm brought no Node for ` +
        `${process.platform}-${process.arch}. Run "npm ci" without --omit=optional, or install Node ${NEEDED_MAJOR}.\n`,
    );
    process.exit(1);
  }
  const child = spawn(bundled, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // Ctrl-C in a terminal reaches both processes by itself; passed on, it would look like a second, impatient one.
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal === null ? code : 128 + constants.signals[signal]));
}

/** npm runs scripts in a shell, which SIGTERM ends without a word to us: nobody may be left behind on the port. */
function stopWithParent() {
  const parent = process.ppid;
  const check = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(check);
    process.kill(process.pid, 'SIGTERM');
  }, PARENT_CHECK_INTERVAL_MS);
  check.unref();
}
