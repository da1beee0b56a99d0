import { randomUUID } from 'node:crypto';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError, OperatorError } from '@larder/core/errors.ts';
import type { Backup } from '../../api/operator/download-backup.ts';
import type { Config } from '../../config/config.ts';
import { makeFolder } from '../../files/make-folder.ts';
import type { CatalogueWork } from './catalogue-work.ts';

/**
 * Copies the database, opens the copy and removes its name: the disk space is freed when the reader is done
 * or has left.
 */
export async function makeBackup(config: Config, work: Pick<CatalogueWork, 'backUp'>): Promise<Backup> {
  if (config.mode === 'cluster') {
    throw new AppError({
      code: 'conflict',
      message: 'A cluster has its data in PostgreSQL: back it up with pg_dump or the tools of its operator.',
    });
  }
  const folder = join(config.dataDir, 'downloads');
  await makeFolder(folder);
  const path = join(folder, `backup-${randomUUID()}.db`);
  try {
    await work.backUp(path);
    const file = await open(path);
    const { size } = await file.stat();
    return { bytes: size, stream: file.createReadStream() };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    throw new AppError({ code: 'conflict', message: error.message });
  } finally {
    await rm(path, { force: true });
  }
}
