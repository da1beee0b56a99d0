import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseLogLine } from './log-line.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'larder.mjs');

export interface WorkerLine {
  readonly msg: string;
  readonly scan?: string;
  readonly outcome?: string;
  readonly catalogue?: { readonly name: string };
  readonly port?: number;
}

/** `larder worker`, started as an operator would. */
export interface WorkerProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Log lines so far. */
  readonly lines: readonly WorkerLine[];
  /** Its standard error. */
  readonly err: readonly string[];
  /** Resolves when it works and handles signals. */
  readonly started: Promise<void>;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** `onLine` is called with each log line. */
export function startWorkerProcess(
  settings: Readonly<Record<string, string>>,
  { args = [], onLine = () => {} }: { args?: readonly string[]; onLine?: (line: WorkerLine) => void } = {},
): WorkerProcess {
  const env = { PATH: process.env['PATH'] ?? '', ...settings };
  const child = spawn(process.execPath, [PROGRAM, 'worker', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: WorkerLine[] = [];
  const started = Promise.withResolvers<void>();
  const err: string[] = [];
  createInterface(child.stderr).on('line', (line) => err.push(line));
  createInterface(child.stdout).on('line', (text) => {
    const line = parseLogLine<WorkerLine>(text);
    if (line === undefined) return;
    lines.push(line);
    if (line.msg === 'working on scans') started.resolve();
    onLine(line);
  });
  const ended = once(child, 'close').then(([code, signal]) => (signal ?? code) as number | NodeJS.Signals);
  return {
    child,
    lines,
    err,
    started: started.promise,
    ended,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
