import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { restore } from '../../src/app/backup.ts';
import { HOUR_MS, makeDueBackup } from '../../src/app/backups/make-due-backup.ts';
import { openBackupStore } from '../../src/app/backups/open-backup-store.ts';
import { databaseFile } from '../../src/app/data-folder.ts';
import { readConfig } from '../../src/config/config.ts';
import { openDatabase } from '../../src/db/sqlite/database.ts';
import { clusterSettings } from '../support/cluster-settings.ts';
import { tempFolder } from '../support/temp-folder.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 3);

async function bucketConfig(dataDir: string, bucket?: string) {
  const { LARDER_S3_ENDPOINT, LARDER_S3_BUCKET, LARDER_S3_ACCESS_KEY_ID, LARDER_S3_SECRET_ACCESS_KEY } =
    await clusterSettings();
  return readConfig({
    LARDER_DATA_DIR: dataDir,
    LARDER_DISK_RESERVE_MB: '0',
    LARDER_BACKUP_TO: `${LARDER_S3_ENDPOINT}/${bucket ?? LARDER_S3_BUCKET}/house/larder`,
    LARDER_BACKUP_KEEP: '2',
    LARDER_BACKUP_S3_ACCESS_KEY_ID: LARDER_S3_ACCESS_KEY_ID,
    LARDER_BACKUP_S3_SECRET_ACCESS_KEY: LARDER_S3_SECRET_ACCESS_KEY,
  });
}

test('backups in a bucket are kept, deleted and restored as those in a folder', async () => {
  using folder = tempFolder();
  const config = await bucketConfig(join(folder.path, 'data'));
  const database = await openDatabase({ file: databaseFile(config) });
  await database.close();
  for (const days of [0, 1, 2]) await makeDueBackup(config, { nowMs: NOW_MS + 24 * days * HOUR_MS });
  const store = await openBackupStore(config);
  const kept = await store.list();
  expect(kept.map(({ name }) => name)).toEqual(['larder-20260202T030000Z.db', 'larder-20260201T030000Z.db']);
  const file = await store.fetch(kept[0]!.name);
  expect(readFileSync(file)).toHaveLength(kept[0]!.bytes);
  await restore(config, file);
});

test('a missing bucket is named with its setting', async () => {
  using folder = tempFolder();
  const config = await bucketConfig(join(folder.path, 'data'), 'no-such-bucket');
  await expect(makeDueBackup(config, { nowMs: NOW_MS })).rejects.toThrow(
    /^The bucket no-such-bucket for backups cannot be used \(LARDER_BACKUP_TO\): .*NoSuchBucket/,
  );
});
