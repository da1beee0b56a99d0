import { expect, test } from 'vitest';
import { licenceProblems } from './licences.ts';

const problemsOf = (name: string, licence: string) => licenceProblems([{ name, version: '1.0.0', licence }]);

test.each(['MIT', 'MIT OR GPL-3.0-only', '(MIT OR CC0-1.0)', 'Apache-2.0 AND MIT'])(
  '%s is allowed',
  (licence) => {
    expect(problemsOf('any', licence)).toEqual([]);
  },
);

test.each([
  'GPL-3.0-only',
  'MIT AND GPL-3.0-only',
  'none',
  'SEE LICENSE IN FILE',
  '(MIT AND (ISC OR GPL-2.0))',
])('%s is rejected, and the package named', (licence) => {
  expect(problemsOf('any', licence)).toEqual([
    `any 1.0.0: the licence "${licence}" is not on the allow list`,
  ]);
});

test('an exception applies only to its packages', () => {
  expect(problemsOf('@img/sharp-libvips-linux-x64', 'LGPL-3.0-or-later')).toEqual([]);
  expect(problemsOf('@img/sharp-win32-x64', 'Apache-2.0 AND LGPL-3.0-or-later')).toEqual([]);
  expect(problemsOf('sharp', 'LGPL-3.0-or-later')).toHaveLength(1);
});
