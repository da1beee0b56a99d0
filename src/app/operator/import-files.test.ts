import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { withoutFolders } from '../../files/without-folders.ts';
import { OPEN_SOURCE } from './import-files.ts';

test.each([
  ['off', 'list.jsonl', 'words\nand lines\n'],
  ['off', 'table.csv', 'a\tb\n1\t2\n'],
  ['off', 'table.parquet', 'PAR1 and nothing else'],
  ['off', 'packed.jsonl.gz', '\u001f\u008b\u0008 no gzip'],
  ['fdc', 'foods.json', '{"Others": []}'],
  ['fdc', 'foods.zip', 'PK\u0003\u0004 and nothing else'],
  ['fdc', 'foods.csv', 'a,b\n1,2\n'],
] as const)('a refused file of %s tells no folder: %s', async (source, name, content) => {
  using folder = tempFolder();
  const path = join(folder.path, name);
  writeFileSync(path, Buffer.from(content, 'latin1'));
  const sink = { food() {}, skipped() {}, broken() {}, noticed() {} };
  const reading = OPEN_SOURCE[source](path).then(({ read }) =>
    read(sink, () => {}, new AbortController().signal),
  );
  const { message } = await reading.then(
    () => ({ message: 'it was read' }),
    (error: Error) => error,
  );
  expect(message).toContain(folder.path);
  const told = withoutFolders(message, folder.path);
  expect(told).toContain(name);
  expect(told).not.toContain(folder.path);
});
