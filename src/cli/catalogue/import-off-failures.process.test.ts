import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { OperatorError } from '@larder/core/errors.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { ImportFolder } from '../../../test/support/import-folder.ts';
import { jsonl, NEW_SCHEMA, OLD_SCHEMA, TABLE } from '../../../test/support/off-products.ts';
import { runLarder } from '../../../test/support/run-larder.ts';

let imports: ImportFolder;
beforeEach(() => {
  imports = new ImportFolder();
  return () => imports[Symbol.dispose]();
});

describe('failures leave the catalogue in use and no other files', () => {
  const many = Array.from({ length: 3_000 }, (_, at) => ({ ...OLD_SCHEMA, code: String(at * 7_919) }));
  const foundation = () => `{"FoundationFoods": [${'{"code": 1}, '.repeat(10_000)}{}]}`;
  const truncated = () => gzipSync(jsonl(...many)).subarray(0, -100);

  test.each<[string, () => string, RegExp]>([
    ['a missing file', () => join(imports.path, 'none'), /there is no such file/],
    ['a folder', () => imports.path, /it is a folder/],
    ['an empty file', () => imports.write('x', ''), /is empty/],
    ['a file of another kind', () => imports.write('x', Buffer.of(0, 1, 2, 3)), /holds binary data/],
    [
      'an answer about one product',
      () => imports.write('x', JSON.stringify({ code: '1', product: OLD_SCHEMA, status: 1 })),
      /response about one product, in its field "product"/,
    ],
    ['other JSON', () => imports.write('x', '{"FoundationFoods": []}'), /larder import fdc/],
    ['a table with other columns', () => imports.write('x', 'a,b\n1,2\n'), /"code", "product_name"/],
    ['damaged Parquet', () => imports.write('x', 'PAR1 and no more'), /damaged or incomplete Parquet/],
    ['truncated gzip', () => imports.write('x', truncated()), /ends in the middle/],
    [
      'another source in one long line',
      () => imports.write('x', foundation()),
      /No product in the files can be used.*without a code/,
    ],
    ['a table without rows', () => imports.write('x', `${TABLE.split('\n')[0]}\n`), /contain no products/],
  ])('%s', async (_, file, message) => {
    const before = await imports.importAlone(imports.write('good.jsonl', jsonl(OLD_SCHEMA)));
    const files = () => readdirSync(join(imports.path, 'data'), { recursive: true }).toSorted();
    const filesBefore = files();
    const failure = await runLarder(imports.env, 'import', 'off', file()).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(OperatorError);
    expect((failure as Error).message).toMatch(message);
    expect(await imports.current()).toBe(before.catalogue.name);
    expect(files()).toEqual(filesBefore);
  });

  test.skipIf(!existsSync('/dev/full'))(
    'a report that cannot be written is an error after the import',
    async () => {
      const words = ['import', 'off', imports.write('a.jsonl', jsonl(OLD_SCHEMA)), '--report', '/dev/full'];
      await expect(runLarder(imports.env, ...words)).rejects.toThrow(
        /The import is done, but its report could not be written to \/dev\/full: the disk is full;/,
      );
      expect(await imports.current()).toBeDefined();
    },
  );

  test('Ctrl-C ends the import with exit code 1 and removes its files', async () => {
    const rows = Array.from({ length: 400_000 }, (_, at) => `${at}\tFood ${at}\t\t400\t10\t20\t45`);
    const table = imports.write('big.csv', `${TABLE.split('\n')[0]}\n${rows.join('\n')}\n`);
    const main = new URL('../main.ts', import.meta.url).pathname;
    const segments = join(imports.path, 'data', 'segments');
    // The signal is sent from inside the import, so that the import is still running on any machine.
    const interrupting = imports.write(
      'interrupt.mjs',
      `import { existsSync, readdirSync } from 'node:fs';
      const timer = setInterval(() => {
        if (!existsSync(${JSON.stringify(segments)}) || readdirSync(${JSON.stringify(segments)}).length === 0) return;
        clearInterval(timer);
        process.kill(process.pid, 'SIGINT');
      }, 1);`,
    );
    const child = spawn(process.execPath, ['--import', interrupting, main, 'import', 'off', table], {
      env: { ...process.env, ...imports.env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const [said, [code]] = await Promise.all([textOf(child.stderr), once(child, 'close')]);
    expect([code, said]).toEqual([1, expect.stringContaining('The import was interrupted')]);
    expect(readdirSync(segments)).toEqual([]);
    expect(await imports.current()).toBeUndefined();
  });
});

test.each([
  ['missing', (segment: string) => rmSync(segment)],
  ['damaged', (segment: string) => truncateSync(segment, 100)],
  ['no segment', (segment: string) => truncateSync(segment, 0)],
])(
  'a segment that is %s stops imports that need it, and the suggested command repairs it',
  async (_what, harm) => {
    const file = imports.write('products.jsonl', JSON.stringify(OLD_SCHEMA));
    const { catalogue } = await imports.importAlone(file);
    const segments = join(imports.path, 'data', 'segments');
    harm(join(segments, readdirSync(segments)[0]!));
    await expect(imports.importAlone(file)).rejects.toThrow(/Import its source again with --replace/);
    expect(await imports.current()).toBe(catalogue.name);
    expect((await imports.importAlone(file, '--replace')).catalogue).toMatchObject({ foods: 1, inUse: true });
  },
);

test.each([
  ['JSON lines', jsonl(OLD_SCHEMA, NEW_SCHEMA).slice(0, -20)],
  ['a table', TABLE.slice(0, -20)],
  ['a table with quotes', `${TABLE.replaceAll('\t', ',')}\n"1`],
])('truncated %s leave the catalogue unchanged', async (_form, content) => {
  const { catalogue } = await imports.importAlone(imports.write('a.jsonl', jsonl(OLD_SCHEMA)));
  await expect(imports.importAlone(imports.write('b.jsonl', content), '--replace')).rejects.toThrow(
    /ends in the middle of a line/,
  );
  expect(await imports.current()).toBe(catalogue.name);
  expect(
    (await imports.importAlone(imports.write('c.jsonl', `${jsonl(NEW_SCHEMA)}the end`))).broken.count,
  ).toBe(1);
});
