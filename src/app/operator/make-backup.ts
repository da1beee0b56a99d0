import { randomUUID } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, OperatorError } from '@larder/core/errors.ts';
import type { Backup } from '../../api/operator/status.ts';
import type { Places } from '../../base/places.ts';
import type { Config } from '../../config/config.ts';
import { makeFolder } from '../../files/make-folder.ts';
import { withoutFolders } from '../../files/without-folders.ts';
import type { CatalogueWork } from './catalogue-work.ts';

export interface BackupPorts {
  readonly work: Pick<CatalogueWork, 'backUp'>;
  /** One place for each thread, since an unread copy takes as much of the disk as the database. */
  readonly places: Places;
}

/**
 * Copies the database, opens the copy and removes its name: the disk space is freed when the reader is done
 * or has left. Rejects with `conflict` while another copy is made or read.
 */
export async function makeBackup(config: Config, { work, places }: BackupPorts): Promise<Backup> {
  if (config.mode === 'cluster') {
    throw new AppError({
      code: 'conflict',
      message: 'A cluster has its data in PostgreSQL: back it up with pg_dump or the tools of its operator.',
    });
  }
  const leave = places.take([]);
  if (leave === undefined)
    throw new AppError({
      code: 'conflict',
      message: 'A backup is being downloaded; try again when that is done.',
    });
  try {
    const { file, sha256 } = await openCopy(config, work);
    const { size } = await file.stat();
    const stream = file.createReadStream();
    stream.once('close', leave);
    return { bytes: size, sha256, stream };
  } catch (error) {
    leave();
    if (!(error instanceof OperatorError)) throw error;
    throw new AppError({ code: 'conflict', message: withoutFolders(error.message, config.dataDir) });
  }
}

async function openCopy(
  { dataDir }: Config,
  work: BackupPorts['work'],
): Promise<{ readonly file: FileHandle; readonly sha256: string }> {
  const folder = join(dataDir, 'downloads');
  await makeFolder(folder);
  const path = join(folder, `backup-${randomUUID()}.db`);
  try {
    const sha256 = await work.backUp(path);
    return { file: await open(path), sha256 };
  } finally {
    await rm(path, { force: true });
  }
}
