import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../../src/db/sqlite/database.ts';

const PROGRAM = join(import.meta.dirname, '..', 'support', 'write-until-killed.ts');
const ANSWERS_BEFORE_THE_KILL = 300;
const ROUNDS = 3;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-kill-'));
});
afterEach(() => rm(folder, { recursive: true }));

test('after kill -9 under load every confirmed write exists and every batch is complete', async () => {
  const file = join(folder, 'larder.db');
  await (await openDatabase({ file })).close();
  const answered: string[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const child = spawn(process.execPath, [PROGRAM, file], { stdio: ['ignore', 'pipe', 'inherit'] });
    let heard = 0;
    // Everything printed before the kill was confirmed, and is read completely.
    for await (const line of createInterface({ input: child.stdout })) {
      answered.push(line.split(' '));
      heard += 1;
      if (heard === ANSWERS_BEFORE_THE_KILL) child.kill('SIGKILL');
    }
  }

  await (await openDatabase({ file })).close();
  const sqlite = new Sqlite(file, { readonly: true });
  expect(sqlite.pragma('integrity_check', { simple: true })).toBe('ok');
  const kept = new Set(sqlite.prepare('select id from diary_entries').pluck().all());
  const batches = sqlite
    .prepare(
      "select count(*) from diary_entries where substr(user_id, -1) in ('1', '3', '5', '7', '9') group by user_id",
    )
    .pluck()
    .all() as number[];
  sqlite.close();
  expect(answered.length).toBeGreaterThanOrEqual(ROUNDS * ANSWERS_BEFORE_THE_KILL);
  expect(answered.flat().filter((id) => !kept.has(id))).toEqual([]);
  expect(batches).toHaveLength(10);
  expect(batches.filter((entries) => entries % 5 !== 0)).toEqual([]);
});
