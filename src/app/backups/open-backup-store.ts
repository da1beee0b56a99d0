import { OperatorError } from '@larder/core/errors.ts';
import type { Config } from '../../config/config.ts';
import type { BackupStore } from './backup-store.ts';

/** Opens the configured backup folder or bucket, loading only its code. Throws an `OperatorError` if none is configured. */
export async function openBackupStore(config: Config): Promise<BackupStore> {
  const { backup, dataDir } = config;
  if (backup === undefined)
    throw new OperatorError('LARDER_BACKUP_TO is not set: it names the place of backups.');
  const { to, region, accessKeyId = '', secrets } = backup;
  if (to.kind === 'folder') return new (await import('./folder-backups.ts')).FolderBackups(to.folder);
  const { BucketBackups } = await import('./bucket-backups.ts');
  return new BucketBackups({
    bucket: {
      endpoint: to.endpoint,
      bucket: to.bucket,
      addressing: 'path',
      region,
      accessKeyId,
      secretAccessKey: secrets.secretAccessKey ?? '',
      nowMs: Date.now,
    },
    prefix: to.prefix,
    dataDir,
  });
}
