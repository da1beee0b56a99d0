import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installDebianPackages } from '../../support/debian-packages.ts';

const LIBRARIES = '/usr/lib';
const LIBRARY = 'faketime/libfaketimeMT.so.1';

/**
 * Settings with which a process goes by a clock of its own: the machine's, moved by what stands in `clockFile`. Time-outs
 * and measured durations stay those of the machine (libfaketime, `DONT_FAKE_MONOTONIC`).
 */
export function steppedClock(clockFile: string): Record<string, string> {
  setClock(clockFile, '+0');
  return {
    LD_PRELOAD: findLibrary(),
    FAKETIME_TIMESTAMP_FILE: clockFile,
    FAKETIME_CACHE_DURATION: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  };
}

/** `offset` such as `+1d` or `-3600`. Threads notice within a second. */
export function setClock(clockFile: string, offset: string): void {
  writeFileSync(clockFile, `${offset}\n`);
}

function findLibrary(): string {
  const find = () =>
    readdirSync(LIBRARIES)
      .map((folder) => join(LIBRARIES, folder, LIBRARY))
      .find((file) => existsSync(file));
  const found = find();
  if (found !== undefined) return found;
  const problem = installDebianPackages(['faketime']);
  const installed = find();
  if (installed === undefined)
    throw new Error(`libfaketime is missing: ${problem ?? 'its package lacks it'}`);
  return installed;
}
