import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { beforeEach, expect, test } from 'vitest';
import { openDatabase } from '../db/sqlite/database.ts';
import { keepOwnerLink } from './owner-link.ts';
import { PeopleStore } from './people-store.ts';
import { secretHash } from './sessions.ts';

let dir: string;
let store: PeopleStore;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'larder-owner-link-'));
  const db = await openDatabase({ file: join(dir, 'larder.db') });
  store = new PeopleStore(db);
  return async () => {
    await db.close();
    await rm(dir, { recursive: true });
  };
});
const file = () => join(dir, 'owner-link.txt');
const keep = () => keepOwnerLink(store, { dataDir: dir, url: 'http://home:8080' });
const hashIn = (link: string) => secretHash(link.split('#link=')[1]!);
const ann = { id: 'ann', name: 'Ann', nameKey: 'ann', password: 'x', createdAtMs: 1 };

test('the link is kept in a file for its owner until there is an owner', async () => {
  const { text } = (await keep())!;
  expect(text).toMatch(/^http:\/\/home:8080\/welcome#link=[\w-]{43}$/);
  expect(await readFile(file(), 'utf8')).toBe(text);
  expect((await stat(file())).mode & 0o777).toBe(0o600);
  expect(await keep()).toEqual({ text, file: file() });
  expect(await store.addPerson(ann, hashIn(text))).toMatchObject({ role: 'owner' });
  expect(await keep()).toBeUndefined();
  expect(existsSync(file())).toBe(false);
});

test('a start without the file writes a new link', async () => {
  const { text } = (await keep())!;
  await rm(file());
  const again = (await keep())!;
  expect(again.text).not.toBe(text);
  expect(await store.addPerson(ann, hashIn(again.text))).toMatchObject({ role: 'owner' });
});

test('a file with other content is named and left unchanged', async () => {
  await writeFile(file(), 'my notes');
  await expect(keep()).rejects.toThrow(OperatorError);
  await expect(keep()).rejects.toThrow(file());
  expect(await readFile(file(), 'utf8')).toBe('my notes');
});
