import { readFileSync } from 'node:fs';
import { ERROR_DETAILS } from '@larder/core/error-details.ts';
import { expect, it } from 'vitest';
import { ERROR_STATUS } from './error-response.ts';

const page = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');

it('docs/errors.md lists every code with its status, and no other', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d{3}) \|/gm)].map(([, code, status]) => [
    code,
    Number(status),
  ]);
  expect(rows).toEqual(Object.entries(ERROR_STATUS));
});

it('docs/errors.md names the details of every code', () => {
  const inBody = /^An error about a body says where: .+\n.+$/m.exec(page)![0];
  for (const [, code, text] of page.matchAll(/^\| `(\w+)` \| \d{3} \| .* \| (.*)\|$/gm)) {
    const said = text!.includes('see below') ? text + inBody : text;
    const fields = Object.keys(ERROR_DETAILS[code as keyof typeof ERROR_DETAILS].shape);
    expect([code, fields.filter((field) => !said!.includes(`\`${field}\``))]).toEqual([code, []]);
    if (fields.length === 0) expect([code, text]).toEqual([code, '']);
  }
});
