import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { beginRotation, endRotation, openSecrets } from './secret-file.ts';

let folder: ReturnType<typeof tempFolder>;
beforeEach(() => {
  folder = tempFolder();
});
afterEach(() => folder[Symbol.dispose]());
const file = () => join(folder.path, 'secret.key');

test('the file is made once, for its owner only, and opens what it sealed', async () => {
  const [one, other] = await Promise.all([openSecrets(folder.path), openSecrets(folder.path)]);
  expect(other.open(one.seal('text', 'row'), 'row')).toBe('text');
  expect(statSync(file()).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder.path)).toEqual(['secret.key']);
});

test('a rotation that was interrupted goes on with its secret, and both open until it ends', async () => {
  const before = await openSecrets(folder.path);
  const sealed = before.seal('text', 'row');
  await beginRotation(folder.path);
  const next = readFileSync(file(), 'utf8');
  await beginRotation(folder.path);
  expect(readFileSync(file(), 'utf8')).toBe(next);
  const both = await openSecrets(folder.path);
  expect([both.open(sealed, 'row'), both.isCurrent(sealed)]).toEqual(['text', false]);
  endRotation(folder.path);
  const after = await openSecrets(folder.path);
  expect([after.open(sealed, 'row'), after.open(both.seal('text', 'row'), 'row')]).toEqual([
    undefined,
    'text',
  ]);
  expect(readdirSync(folder.path)).toEqual(['secret.key']);
});

test('a given secret needs no file, and opens what the file sealed where there is one', async () => {
  const given = await openSecrets(folder.path, { current: 'from the settings' });
  expect(readdirSync(folder.path)).toEqual([]);
  const sealed = (await openSecrets(folder.path)).seal('text', 'row');
  const changed = await openSecrets(folder.path, { current: 'from the settings' });
  expect(changed.open(sealed, 'row')).toBe('text');
  expect(given.open(changed.seal('text', 'row'), 'row')).toBe('text');
});

test('a damaged file is named, and not replaced', async () => {
  writeFileSync(file(), 'damaged');
  await expect(openSecrets(folder.path)).rejects.toThrow(OperatorError);
  await expect(openSecrets(folder.path)).rejects.toThrow(file());
  expect(readFileSync(file(), 'utf8')).toBe('damaged');
});
