import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';

const BUILD = join(import.meta.dirname, '../../../web/build.ts');

/**
 * Builds the page if it is not there or its sources have changed: that takes two seconds, and downloads nothing. A service goes on
 * without it.
 */
export async function buildPage({ page }: Config, log: Logger): Promise<void> {
  if (page === 'off' || !existsSync(BUILD)) return;
  try {
    await promisify(execFile)(process.execPath, [BUILD]);
  } catch (err) {
    log.warn({ err }, 'the page could not be built; `npm run build-page` says why');
  }
}
