import { anyText, backupPlace, nonEmpty, wholeNumber } from './schemas.ts';
import { optional, required, setting } from './setting.ts';

/** Settings of backups on a schedule. */
export const BACKUP = {
  to: required(
    'LARDER_BACKUP_TO',
    backupPlace,
    'Folder of [backups on a schedule](operating.md#backups-on-a-schedule), on another disk, or `https://HOST/BUCKET` with a path if you like, of an S3-compatible store.',
  ),
  everyHours: setting(
    'LARDER_BACKUP_HOURS',
    wholeNumber(1, 8_760),
    '24',
    'Hours from one backup to the next.',
  ),
  keep: setting(
    'LARDER_BACKUP_KEEP',
    wholeNumber(1, 10_000),
    '14',
    'Backups that are kept; older ones are deleted.',
  ),
  region: setting('LARDER_BACKUP_S3_REGION', nonEmpty, 'us-east-1', 'Region of that store.'),
  accessKeyId: optional('LARDER_BACKUP_S3_ACCESS_KEY_ID', anyText, 'Key id for that store.'),
  secrets: {
    secretAccessKey: optional('LARDER_BACKUP_S3_SECRET_ACCESS_KEY', anyText, 'Secret for that store.'),
  },
};
