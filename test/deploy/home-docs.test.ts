import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { startServiceProcess } from '../support/service-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const ROOT = join(import.meta.dirname, '../..');
const ENTRY = {
  date: '2026-01-31',
  mealType: 'lunch',
  foodName: 'Soup',
  calories: 230,
  protein: 12,
  carbs: 31,
  fat: 5,
};

test('the line of docs/home.md makes backups, and `restore latest` takes the newest one', async () => {
  const page = readFileSync(join(ROOT, 'docs/home.md'), 'utf8');
  const [line] = /^LARDER_BACKUP_TO=.+$/m.exec(page)!;
  const [, restore] = /^LARDER_DATA_DIR=\S+ node bin\/larder\.mjs (.+)$/m.exec(page)!;
  using folder = tempFolder();
  const backups = join(folder.path, 'backups');
  const LARDER_DATA_DIR = join(folder.path, 'data');
  const settings = { LARDER_THREADS: '1', LARDER_DATA_DIR };
  {
    await using service = await startServiceProcess(settings);
    await writeEntry(service.url, service.key);
  }
  writeFileSync(join(LARDER_DATA_DIR, 'larder.env'), line.replace('/backups/larder', backups));
  {
    await using _ = await startServiceProcess(settings);
    await expect.poll(() => listIfThere(backups)).toContainEqual(expect.stringMatching(/^larder-.+Z\.db$/));
  }
  rmSync(join(LARDER_DATA_DIR, 'larder.db'));
  const restored = spawnSync(process.execPath, [join(ROOT, 'bin/larder.mjs'), ...restore!.split(' ')], {
    encoding: 'utf8',
    env: { PATH: [dirname(process.execPath), '/usr/bin', '/bin'].join(delimiter), LARDER_DATA_DIR },
  });
  expect(restored.status, restored.stderr).toBe(0);
  await using again = await startServiceProcess(settings);
  expect(await readEntries(again.url, again.key)).toEqual([expect.objectContaining(ENTRY)]);
});

function listIfThere(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}

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
