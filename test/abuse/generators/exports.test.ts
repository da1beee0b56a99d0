import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Random } from '../../../bench/support/search-random.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { writeBrokenExports } from './exports.ts';

test('there is an export in each format with the requested lines, most of them broken', () => {
  using folder = tempFolder();
  const written = writeBrokenExports(folder.path, 500, new Random({ seed: 2 }));
  expect(new Set(written.map(({ words }) => words[0]))).toEqual(new Set(['off', 'fdc', 'composition']));
  expect(written.every(({ words }) => existsSync(words[1]!))).toBe(true);
  const lines = readFileSync(join(folder.path, 'off.jsonl'), 'utf8').trimEnd().split('\n');
  expect(lines).toHaveLength(500);
  const sound = lines.filter(
    (line) =>
      line.startsWith('{"code":"4') &&
      line.includes('"product_name":"Product') &&
      line.endsWith('"carboidrati_disponibili":60}'),
  );
  expect(sound.length).toBeGreaterThanOrEqual(50);
  expect(sound.length).toBeLessThan(250);
});
