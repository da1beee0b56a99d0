import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ANONYMOUS_LIMIT, DEFAULT_LIMITS } from '../limits/operations.ts';
import { SCOPES } from './api-key.ts';

const page = readFileSync(new URL('../../docs/access.md', import.meta.url), 'utf8');

/** The first and second cells of the table whose header begins with `title`. */
function table(title: string): [string, string][] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => line.startsWith(`| ${title} |`)) + 2;
  const end = lines.findIndex((line, at) => at >= start && !line.startsWith('|'));
  return lines.slice(start, end).map((line) => {
    const [, first, second] = line.split('|').map((cell) => cell.trim());
    return [first!.replaceAll('`', ''), second!];
  });
}

test('docs/access.md lists every scope', () => {
  expect(table('Scope').map(([scope]) => scope)).toEqual([...SCOPES]);
});

test('docs/access.md lists every operation with its limit', () => {
  expect(Object.fromEntries(table('Operation').map(([name, limit]) => [name, Number(limit)]))).toEqual(
    DEFAULT_LIMITS,
  );
  expect(page).toContain(`${ANONYMOUS_LIMIT} a minute`);
});
