import { readFileSync } from 'node:fs';
import { OperatorError } from '@larder/core/errors.ts';
import type { Log } from '../../base/log.ts';
import { counted } from '../../base/texts.ts';
import type { Config } from '../../config/config.ts';
import { MEGABYTE, openDisk } from '../data-folder.ts';

const MIB = 2 ** 20;

/** Limits that the operating system or a container sets for this process. */
export interface MachineLimits {
  /** Undefined where it is not known. */
  readonly openFiles: number | undefined;
  readonly memoryBytes: number | undefined;
  readonly freeDiskBytes: number;
}

/** A start opens some 30 files, and 8 for each API thread; what is left over is for connections. */
const FILES_OF_START = 48;
const FILES_OF_THREAD = 16;
/** With fewer files, some hundred clients at once are refused. */
const USUAL_FILES = 1_024;
/** The database needs it to begin its write-ahead log. */
const MIN_DISK_BYTES = MEGABYTE;
/** Memory of a process that analyses photos, and of all else, with the foods that ship. */
const ANALYSIS_MIB = 512;
const SERVICE_MIB = 256;

type LimitedConfig = Pick<Config, 'apiThreads' | 'scanWorkers' | 'dataDir' | 'mode'>;

/** Warns of limits that are low. Throws an `OperatorError` for those with which the process cannot start. */
export function checkMachine(
  { apiThreads, scanWorkers, dataDir, mode }: LimitedConfig,
  limits: MachineLimits,
  log: Pick<Log, 'warn'>,
): void {
  const { openFiles, memoryBytes, freeDiskBytes } = limits;
  if (mode === 'embedded' && freeDiskBytes < MIN_DISK_BYTES)
    throw new OperatorError(
      `The disk of ${dataDir} is full: ${counted(freeDiskBytes, 'byte')} free. Free some space, then start again.`,
    );
  const raise = '`ulimit -n 1024`, LimitNOFILE of systemd, `ulimits` of Compose';
  if (openFiles !== undefined && openFiles < FILES_OF_START + FILES_OF_THREAD * apiThreads)
    throw new OperatorError(
      `${counted(openFiles, 'open file')} are allowed, too few for LARDER_THREADS=${apiThreads}. Raise the limit (${raise}), or lower LARDER_THREADS.`,
    );
  if (openFiles !== undefined && openFiles < USUAL_FILES)
    log.warn(
      { openFiles },
      `few open files are allowed, so that few clients can connect; raise it (${raise})`,
    );
  const neededMib = SERVICE_MIB + ANALYSIS_MIB * Math.min(scanWorkers, 1);
  if (memoryBytes !== undefined && memoryBytes < neededMib * MIB)
    log.warn(
      { memoryMib: Math.floor(memoryBytes / MIB), neededMib },
      scanWorkers > 0
        ? 'there is little memory: analyses of photos may be killed. Allow more, or set LARDER_SCAN_WORKERS=0'
        : 'there is little memory: the service may be killed. Allow more',
    );
}

export async function readMachineLimits(
  config: Pick<Config, 'dataDir' | 'diskReserveMb'>,
): Promise<MachineLimits> {
  return {
    openFiles: allowedOpenFiles(),
    // That of the container, or else of the machine.
    memoryBytes: process.constrainedMemory() || undefined,
    freeDiskBytes: await openDisk(config)
      .freeBytes()
      .catch(() => Number.POSITIVE_INFINITY),
  };
}

/** Node raises the soft limit to the hard one before. Undefined except on Linux. */
function allowedOpenFiles(): number | undefined {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? undefined : Number(soft);
  } catch {
    return undefined;
  }
}
