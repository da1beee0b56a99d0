import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const THREE_WEEKS_AGO = new Date(Date.now() - 21 * 86_400_000);
const ENTRY = {
  date: '2026-01-31',
  mealType: 'lunch',
  foodName: 'Soup',
  calories: 230,
  protein: 12,
  carbs: 31,
  fat: 5,
};

test('the cron line of docs/home.md backs up a running service, deletes old backups, and its backup is restored', async () => {
  const page = readFileSync(join(ROOT, 'docs/home.md'), 'utf8');
  const [, line] = /^0 3 \* \* \* (.+)$/m.exec(page)!;
  // cron ends a command at an unescaped % and removes the backslash of others.
  expect(line).not.toMatch(/(?<!\\)%/);
  using folder = tempFolder();
  const backups = join(folder.path, 'backups');
  mkdirSync(backups);
  for (const name of ['larder-2026-01-01.db', 'other.db']) {
    writeFileSync(join(backups, name), '');
    utimesSync(join(backups, name), THREE_WEEKS_AGO, THREE_WEEKS_AGO);
  }

  await using service = await startServiceProcess({ LARDER_THREADS: '1' });
  await writeEntry(service.url, service.key);
  const command = line!
    .replaceAll('\\%', '%')
    .replaceAll('/opt/larder', ROOT)
    .replaceAll('/var/lib/larder', service.dataDir)
    .replaceAll('/backups', backups);
  const PATH = [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter);
  const ran = spawnSync('/bin/sh', ['-c', command], { encoding: 'utf8', env: { PATH } });
  expect([ran.status, ran.stderr]).toEqual([0, '']);
  const [backup, ...others] = readdirSync(backups);
  expect(backup).toMatch(/^larder-\d{4}-\d\d-\d\d\.db$/);
  expect(others).toEqual(['other.db']);

  service.child.kill('SIGTERM');
  await once(service.child, 'close');
  const LARDER_DATA_DIR = join(folder.path, 'restored');
  const restored = spawnSync(
    process.execPath,
    [join(ROOT, 'bin/larder.mjs'), 'restore', join(backups, backup!)],
    { encoding: 'utf8', env: { PATH, LARDER_DATA_DIR } },
  );
  expect(restored.status, restored.stderr).toBe(0);
  await using again = await startServiceProcess({ LARDER_THREADS: '1', LARDER_DATA_DIR }, undefined, false);
  expect(await readEntries(again.url, service.key)).toEqual([expect.objectContaining(ENTRY)]);
});

async function writeEntry(url: string, key: string): Promise<void> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const written = await fetch(`${url}/v1/users/ann/diary`, {
    method: 'POST',
    headers,
    body: JSON.stringify(ENTRY),
  });
  expect(written.status).toBe(201);
}

async function readEntries(url: string, key: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${url}/v1/users/ann/diary?date=${ENTRY.date}`, { headers })).json();
}
