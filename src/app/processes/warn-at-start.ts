import type { Logger } from 'pino';
import type { Config } from '../../config/config.ts';
import { openDisk } from '../data-folder.ts';

/** Logs what an operator probably did not intend, although the process runs. */
export async function warnAtStart(config: Config, log: Pick<Logger, 'warn'>): Promise<void> {
  for (const { settings, missing } of config.ignored)
    log.warn({ settings }, `settings are ignored, since ${missing} is not set`);
  const disk = openDisk(config);
  if (await disk.hasRoom()) return;
  log.warn(
    { freeBytes: await disk.freeBytes(), reserveBytes: disk.reserveBytes },
    'the disk has less free than LARDER_DISK_RESERVE_MB; uploads and imports are refused',
  );
}
