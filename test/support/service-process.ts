import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { clusterSettings } from './cluster-settings.ts';
import { parseLogLine } from './log-line.ts';
import { tempFolder } from './temp-folder.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'bin', 'larder.mjs');

/** `larder serve`, started as an operator would, on a free port and an empty temporary data folder. */
export interface ServiceProcess extends AsyncDisposable {
  readonly url: string;
  readonly key: string;
  readonly child: ChildProcess;
  readonly dataDir: string;
  /** Its output so far, standard output and error separately. */
  readonly out: readonly string[];
  readonly err: readonly string[];
}

/** The way it is started: directly, or in a shell, as by npm. */
export type Launch = (program: string) => readonly [command: string, args: readonly string[]];
const directly: Launch = (program) => [process.execPath, [program, 'serve']];

/** `onMessage` is called with the message of each log line and the process. */
export async function startServiceProcess(
  settings: Readonly<Record<string, string>> = {},
  launch: Launch = directly,
  hasKey = true,
  onMessage: (message: string, child: ChildProcess) => void = () => {},
): Promise<ServiceProcess> {
  const folder = tempFolder();
  const dataDir = settings['LARDER_DATA_DIR'] ?? folder.path;
  // The complete environment, so that the shell's settings have no effect.
  const env = {
    PATH: process.env['PATH'] ?? '',
    LARDER_PORT: '0',
    ...(await clusterSettings()),
    ...settings,
    LARDER_DATA_DIR: dataDir,
  };
  const child = spawn(...launch(PROGRAM), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const out: string[] = [];
  const err: string[] = [];
  createInterface(child.stderr).on('line', (line) => err.push(line));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      out.push(line);
      const told = parseLogLine<{ msg: string; url: string }>(line);
      if (told === undefined) return;
      onMessage(told.msg, child);
      if (told.msg === 'listening') resolve(told.url);
    });
    // Not at `exit`, because its last output may still arrive.
    child.once('close', (code) => reject(new Error(`larder serve ended with ${code}: ${err.join('\n')}`)));
  });
  return {
    url,
    key: hasKey ? readFileSync(join(dataDir, 'first-key.txt'), 'utf8').trim() : '',
    child,
    dataDir,
    out,
    err,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'close');
      }
      folder[Symbol.dispose]();
    },
  };
}
