import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SETTINGS } from './settings.ts';

test('docs/configuration.md lists every setting with its default and meaning, and no other', () => {
  const page = readFileSync(new URL('../../docs/configuration.md', import.meta.url), 'utf8');
  const rows = page.split('\n').filter((line) => line.startsWith('| `LARDER_'));
  const expected = Object.entries(SETTINGS).map(
    ([name, { fallback, meaning }]) =>
      `| \`${name}\` | ${fallback === '' ? 'none' : `\`${fallback}\``} | ${meaning} |`,
  );
  expect(rows).toEqual(expected);
});
