import type { Log } from '../../base/log.ts';
import type { Config } from '../../config/config.ts';
import { leftByOthers, openDisk } from '../data-folder.ts';
import { findScanPackages, missingPackagesText } from './scan-packages.ts';

/** Logs settings that an operator probably did not intend, although the process can run. */
export async function warnAtStart(config: Config, log: Pick<Log, 'warn'>): Promise<void> {
  for (const { settings, missing } of config.ignored)
    log.warn({ settings }, `settings are ignored, since ${missing} is not set`);
  const packages = findScanPackages(config);
  if (config.scanWorkers > 0 && packages.missing.length > 0)
    log.warn({ packages: packages.missing }, missingPackagesText(packages)!);
  const left = await leftByOthers(config);
  if (left !== undefined) log.warn(left);
  const disk = openDisk(config);
  if (await disk.hasRoom()) return;
  log.warn(
    { freeBytes: await disk.freeBytes(), reserveBytes: disk.reserveBytes },
    'the disk has less free than LARDER_DISK_RESERVE_MB; uploads and imports are refused',
  );
}
