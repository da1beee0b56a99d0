import type { Config } from '../config/config.ts';
import { DiskReserve } from '../files/disk-reserve.ts';

export const MEGABYTE = 1_000_000;

/** The disk of the data folder. */
export function openDisk({ dataDir, diskReserveMb }: Pick<Config, 'dataDir' | 'diskReserveMb'>): DiskReserve {
  return new DiskReserve({ folder: dataDir, reserveBytes: diskReserveMb * MEGABYTE });
}
