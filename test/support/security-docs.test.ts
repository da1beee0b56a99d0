import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const BOUNDARIES = [
  'Client and API',
  'Keys and tokens',
  'Tenants and users',
  'Upload addresses',
  'Image decoding',
  'Imports',
  'External services',
  'Object store',
  'Database',
  'Logs, errors and metrics',
  'Operator',
  'Supply chain',
];

const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
/** A row with a name in bold heads the threats of each boundary. */
const [, ...sections] = page
  .split(/^## Boundaries$/m)[1]!
  .split(/^## /m)[0]!
  .split(/^\| \*\*(?=.+\*\* \| \| \|$)/m);
const boundaries = sections.map((section) => {
  const [heading = '', ...lines] = section.split('\n');
  const rows = lines.filter((line) => line.startsWith('| '));
  return [heading.split('**')[0]!, rows] as const;
});

test('docs/security.md names every boundary', () => {
  expect(boundaries.map(([name]) => name)).toEqual(BOUNDARIES);
});

describe.each(boundaries)('%s', (_, rows) => {
  test('states for each threat its measure and its test', () => {
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      const [threat = '', measure = '', tests = ''] = row.split(' | ');
      expect([threat, measure].every((text) => text.trim().length > 2)).toBe(true);
      const named = [...tests.matchAll(/`([^`]+)`/g)].map(([, file]) => file!);
      expect(named, row).not.toEqual([]);
      expect(
        named.filter((file) => !/^(src|packages|test|tools)\//.test(file) || !existsSync(join(ROOT, file))),
      ).toEqual([]);
    }
  });
});
