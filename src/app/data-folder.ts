import { statSync } from 'node:fs';
import { access, constants, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { pause } from '../base/pause.ts';
import type { Config } from '../config/config.ts';
import { DiskReserve } from '../files/disk-reserve.ts';
import { fileError } from '../files/file-errors.ts';
import { makeFolder } from '../files/make-folder.ts';

export type DataFolder = Pick<Config, 'dataDir'>;

/** Time for which a worker waits for the service that starts beside it with an empty folder. */
const MAX_WAIT_MS = 15_000;
const POLL_MS = 100;

/**
 * Throws an `OperatorError` if the data folder contains no data of Larder, as when its name is mistyped. Only
 * `larder serve`, `import` and `restore` create a new one.
 */
export function requireDataFolder(config: DataFolder): void {
  if (isDataFolder(config)) return;
  throw new OperatorError(
    `There is no data of Larder in ${config.dataDir}. Is LARDER_DATA_DIR right? \`larder serve\` and \`larder import\` create a new data folder.`,
  );
}

/** Creates the data folder if it is missing. Throws an `OperatorError` if it is not writable. */
export async function prepareDataFolder({ dataDir }: DataFolder): Promise<void> {
  try {
    await makeFolder(dataDir);
    await access(dataDir, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw fileError(`The data folder ${dataDir} cannot be used (LARDER_DATA_DIR)`, error);
  }
}

interface Identity {
  readonly uid: number;
  readonly gids: readonly number[];
}

/** Undefined where there are no such numbers, as on Windows. */
function ownIdentity(): Identity | undefined {
  const [uid, gid] = [process.geteuid?.(), process.getegid?.()];
  return uid === undefined || gid === undefined
    ? undefined
    : { uid, gids: [gid, ...(process.getgroups?.() ?? [])] };
}

const SHOWN_PATHS = 5;
/** What Larder itself makes at the top of the folder; a disk has `lost+found` there, too. */
const OWN_NAME = /^(?:larder\.db|catalogues$|segments$|objects$|downloads$|imports$)/;
const [GROUP_MAY_WRITE, ALL_MAY_WRITE] = [0o020, 0o002];

/** Names files of another user, such as root after an import with sudo, and the command that changes their owner. */
export async function leftByOthers(
  { dataDir }: DataFolder,
  identity = ownIdentity(),
): Promise<string | undefined> {
  if (identity === undefined || identity.uid === 0) return undefined;
  const { uid, gids } = identity;
  const folders = ['', 'catalogues', 'segments'].map((name) => join(dataDir, name));
  const listed = await Promise.all(folders.map((folder) => readdir(folder).catch(() => [])));
  const paths = listed.flatMap((names, at) =>
    names.filter((name) => at > 0 || OWN_NAME.test(name)).map((name) => join(folders[at]!, name)),
  );
  const isOthers = await Promise.all(
    paths.map(async (path) => {
      // Another process may remove it meanwhile.
      const found = await stat(path).catch(() => undefined);
      if (found === undefined || found.uid === uid || (found.mode & ALL_MAY_WRITE) !== 0) return false;
      return !gids.includes(found.gid) || (found.mode & GROUP_MAY_WRITE) === 0;
    }),
  );
  const others = paths.filter((_, at) => isOthers[at]);
  if (others.length === 0) return undefined;
  const more = others.length > SHOWN_PATHS ? `, and ${others.length - SHOWN_PATHS} more` : '';
  return (
    `another user, such as root, owns ${others.slice(0, SHOWN_PATHS).join(', ')}${more}, so that the service cannot write there; ` +
    `give them back: sudo chown -R ${uid}:${gids[0]} ${dataDir}`
  );
}

/** Checks like `requireDataFolder`, but waits a while for a service that is creating the folder. */
export async function waitForDataFolder(config: DataFolder, signal: AbortSignal): Promise<void> {
  const untilMs = performance.now() + MAX_WAIT_MS;
  while (!isDataFolder(config) && performance.now() < untilMs && !signal.aborted) await pause(POLL_MS);
  if (!signal.aborted) requireDataFolder(config);
}

/** Whether the data folder contains any data of Larder. */
export function isDataFolder({ dataDir }: DataFolder): boolean {
  return [databaseFile({ dataDir }), join(dataDir, 'catalogues')].some((path) => {
    try {
      return statSync(path, { throwIfNoEntry: false }) !== undefined;
    } catch (error) {
      throw fileError(`Cannot read the data folder ${dataDir}`, error);
    }
  });
}

export function databaseFile({ dataDir }: DataFolder): string {
  return join(dataDir, 'larder.db');
}

export const MEGABYTE = 1_000_000;

/** The disk of the data folder. */
export function openDisk({ dataDir, diskReserveMb }: Pick<Config, 'dataDir' | 'diskReserveMb'>): DiskReserve {
  return new DiskReserve({ folder: dataDir, reserveBytes: diskReserveMb * MEGABYTE });
}
