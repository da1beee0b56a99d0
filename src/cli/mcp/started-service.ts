import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { pause } from '../../base/pause.ts';
import type { Config } from '../../config/config.ts';
import type { Terminal } from '../terminal/terminal.ts';

const PROGRAM = join(import.meta.dirname, '../../../bin/larder.mjs');
const LOOK_EVERY_MS = 100;
const STDERR = 2;

export interface StartedService {
  stop(): Promise<void>;
}

/**
 * Starts `larder serve` on the data folder and waits until it answers. It writes to standard error only,
 * because standard output belongs to the protocol. Undefined if another process was first: then that one
 * answers. Throws an `OperatorError` if none answers.
 */
export async function startService(
  { dataDir }: Config,
  env: Terminal['env'],
  { isReachable, signal }: { readonly isReachable: () => Promise<boolean>; readonly signal: AbortSignal },
): Promise<StartedService | undefined> {
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { ...env, LARDER_DATA_DIR: dataDir },
    stdio: ['ignore', STDERR, STDERR],
  });
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const stop = async () => {
    if (isOver()) return;
    const closed = once(child, 'close');
    child.kill('SIGTERM');
    await closed;
  };
  try {
    while (!(await isReachable())) {
      if (isOver())
        throw new OperatorError(
          'The service could not be started; its messages above say why. Run `larder serve` to try it.',
        );
      await pause(LOOK_EVERY_MS, { signal });
    }
  } catch (error) {
    await stop();
    throw error;
  }
  return isOver() ? undefined : { stop };
}
