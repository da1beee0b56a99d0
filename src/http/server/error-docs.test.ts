import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ERROR_STATUS } from './error-response.ts';

it('docs/errors.md lists every code with its status, and no other', () => {
  const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(rows).toEqual(Object.entries(ERROR_STATUS));
});
