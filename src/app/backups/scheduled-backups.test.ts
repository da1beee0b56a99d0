import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { MemoryLog } from '../../../test/support/memory-log.ts';
import { PATIENCE } from '../../../test/support/patience.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { openDatabase } from '../../db/sqlite/database.ts';
import { restore } from '../backup.ts';
import { databaseFile } from '../data-folder.ts';
import { HOUR_MS, makeDueBackup } from './make-due-backup.ts';
import { ScheduledBackups } from './scheduled-backups.ts';

const NOW_MS = Date.UTC(2026, 0, 31, 3);

/** A data folder with a database, beside a folder for backups that does not exist yet. */
async function openFolder(settings: Record<string, string> = {}) {
  const folder = tempFolder();
  const backups = join(folder.path, 'backups');
  const config = readConfig({
    LARDER_DATA_DIR: join(folder.path, 'data'),
    LARDER_DISK_RESERVE_MB: '0',
    LARDER_BACKUP_TO: backups,
    ...settings,
  });
  await (await openDatabase({ file: databaseFile(config) })).close();
  return { config, backups, [Symbol.dispose]: () => folder[Symbol.dispose]() };
}

test('a backup is made when the newest is old enough, with its checksum, and the oldest are deleted', async () => {
  using folder = await openFolder({ LARDER_BACKUP_KEEP: '2', LARDER_BACKUP_HOURS: '12' });
  const { config, backups } = folder;
  const at = (hours: number) => makeDueBackup(config, { nowMs: NOW_MS + hours * HOUR_MS });
  expect((await at(0)).isNew).toBe(true);
  expect((await at(11.9)).isNew).toBe(false);
  writeFileSync(join(backups, 'holiday.jpg'), 'not ours');
  expect((await at(12)).kept.map(({ name }) => name)).toEqual([
    'larder-20260131T150000Z.db',
    'larder-20260131T030000Z.db',
  ]);
  await at(24);
  expect(readdirSync(backups).sort()).toEqual([
    'holiday.jpg',
    'larder-20260131T150000Z.db',
    'larder-20260131T150000Z.db.sha256',
    'larder-20260201T030000Z.db',
    'larder-20260201T030000Z.db.sha256',
  ]);
  expect(statSync(join(backups, 'larder-20260201T030000Z.db')).mode & 0o777).toBe(0o600);
});

test('a backup with a damaged byte replaces nothing', async () => {
  using folder = await openFolder();
  const { config, backups } = folder;
  const { kept } = await makeDueBackup(config, { nowMs: NOW_MS });
  const backup = join(backups, kept[0]!.name);
  const before = readFileSync(databaseFile(config));
  const bytes = readFileSync(backup);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(backup, bytes);
  await expect(restore(config, backup)).rejects.toThrow(
    /is damaged: it has another checksum than .*\.sha256 says/,
  );
  expect(readFileSync(databaseFile(config)).equals(before)).toBe(true);
  bytes[bytes.length - 1]! ^= 1;
  writeFileSync(backup, bytes);
  await restore(config, backup);
  expect(statSync(databaseFile(config)).mode & 0o777).toBe(0o600);
});

test('the schedule tells its newest backup, and a failure until the next one succeeds', async () => {
  const config = readConfig({ LARDER_BACKUP_TO: '/nowhere' }) as Config;
  const { logger, lines } = new MemoryLog();
  const newest = { name: 'larder-20260131T030000Z.db', bytes: 4_096, atMs: NOW_MS };
  const run = vi
    .fn()
    .mockRejectedValueOnce(new Error('no room'))
    .mockResolvedValue({ kept: [newest], isNew: true });
  const open = () => ScheduledBackups.open({ config, nowMs: () => NOW_MS + HOUR_MS, log: logger, run })!;
  const failing = open();
  failing.start();
  await vi.waitFor(() => expect(failing.state.problem).toBe('no room'), PATIENCE);
  expect(failing.failures).toBe(1);
  await failing.close();
  const backups = open();
  backups.start();
  await vi.waitFor(() => expect(backups.state.newest).toBeDefined(), PATIENCE);
  await backups.close();
  expect(backups.state).toEqual({
    kind: 'folder',
    everyHours: 24,
    keep: 14,
    count: 1,
    newest: { name: newest.name, bytes: 4_096, createdAt: '2026-01-31T03:00:00.000Z' },
    nextAt: '2026-02-01T03:00:00.000Z',
  });
  expect(lines.join('')).toContain('the backup on schedule failed');
});

test('there is no schedule without a place for backups', () => {
  const config = readConfig({ LARDER_DATA_DIR: '/nowhere' });
  expect(ScheduledBackups.open({ config, nowMs: Date.now, log: new MemoryLog().logger })).toBeUndefined();
});
