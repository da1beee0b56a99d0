import { expect, test } from 'vitest';
import { withoutFolders } from './without-folders.ts';

const DATA = '/srv/our data/larder';

test.each([
  [`${DATA}/downloads/sent/01M8/bad.jsonl is not a table.`, 'bad.jsonl is not a table.'],
  [`food.csv in ${DATA}/downloads/sent/01M8/fdc.zip is empty.`, 'food.csv in fdc.zip is empty.'],
  [
    `ENOENT: no such file or directory, open '${DATA}/catalogues/7.larder'`,
    "ENOENT: no such file or directory, open '7.larder'",
  ],
  [
    `The disk of ${DATA} has 1 MB free; more is needed.`,
    'The disk of the data folder has 1 MB free; more is needed.',
  ],
  [
    'https://example.com/srv/off.jsonl.gz cannot be fetched',
    'https://example.com/srv/off.jsonl.gz cannot be fetched',
  ],
  [`${DATA}-old/a.jsonl is empty`, `${DATA}-old/a.jsonl is empty`],
])('keeps the name of a file alone: %s', (message, told) => {
  expect(withoutFolders(message, DATA)).toBe(told);
});

test('a data folder may end in a slash, or be the root of the disk', () => {
  expect(withoutFolders('/data/a.csv is empty', '/data/')).toBe('a.csv is empty');
  expect(withoutFolders('/a.csv is empty', '/')).toBe('/a.csv is empty');
});
