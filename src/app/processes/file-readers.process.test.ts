import { AppError } from '@larder/core/errors.ts';
import { afterAll, expect, it } from 'vitest';
import { MAX_FILE_BYTES } from '../../foods/import/table/table-limits.ts';
import type { FileTask } from '../../own-data/read-own-file.ts';
import { FileReaders } from './file-readers.ts';

const readers = new FileReaders();
afterAll(() => readers.close());

const DIARY: FileTask = { kind: 'user', owner: { tenant: 'acme', userId: 'ann' }, nowMs: 0 };
const FOODS: FileTask = {
  kind: 'foods',
  owner: { tenant: 'acme', userId: undefined },
  per: undefined,
  nowMs: 0,
};

function filled(part: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.alloc(MAX_FILE_BYTES, part));
}

it('reads files in other threads, several at once and one after the other', async () => {
  const rows = Array.from({ length: 1_201 }, (_, at) => `Plum ${at},${at % 900},0.5\n`).join('');
  const foods = () => readers.read(new Uint8Array(Buffer.from(`Name,kcal,Protein (g)\n${rows}`)), FOODS);
  const [first, second] = await Promise.all([foods(), foods()]);
  expect(first.reading.records.foods).toHaveLength(1_201);
  expect(first.reading.records.foods.at(-1)!.record.name).toBe('Plum 1200');
  expect(second).toEqual(first);
  expect(await foods()).toEqual(first);
});

it('passes on what is wrong with a file, and its notes', async () => {
  const read = (text: string) => readers.read(new Uint8Array(Buffer.from(text)), DIARY);
  await expect(read('a,b\n1,2\n')).rejects.toThrow(/^The file is no export that can be imported/);
  const { reading } = await read('Date,Meal,kcal\n2026-01-31,Elevenses,80\n2026-01-31,x,never\n');
  expect([reading.problemCount, reading.problems[0]!.line, reading.refused.entries]).toEqual([2, 3, 1]);
  expect(reading.notes).toContain('Meal "Elevenses" was taken as snacks.');
});

/** Bytes that readers which count rows or records, or look for an end, take long for. */
const DEAR: Readonly<Record<string, string>> = {
  'line breaks': '\n',
  'Windows line breaks': '\r\n',
  quotes: '"',
  'quotes in lines': '"\n',
  'quotes that never close': 'a","b\n',
  commas: ',',
  'rows of commas': `a${','.repeat(250)}\n`,
  'short rows': 'a,\n',
  brackets: '[',
  braces: '{',
  'an array of objects': '[{},',
  'objects in lines': '{"entry":{}}\n',
  'NUL characters': '{"entry":1}\0\n',
  'bytes of no encoding': 'é\xff\x81\n',
};

it.each(Object.entries(DEAR))('ends with any file: %s', async (_, part) => {
  const fileOf = () =>
    part.includes('\xff') ? new Uint8Array(Buffer.alloc(MAX_FILE_BYTES, part, 'latin1')) : filled(part);
  for (const task of [DIARY, FOODS]) {
    const outcome = await readers.read(fileOf(), task).then(
      ({ reading }) => reading,
      (error) => error,
    );
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError);
    else expect(outcome.records.entries).toEqual([]);
  }
});

it('gives up a file that takes too long, and reads the next one', async () => {
  const impatient = new FileReaders({ readTimeoutMs: 1 });
  await expect(impatient.read(filled('"entry\n'), DIARY)).rejects.toThrow(
    /^Reading the file takes more than 0.001 s/,
  );
  await impatient.close();
});

it('gives no file to a thread that ends because it was idle', async () => {
  const brief = new FileReaders({ idleMs: 0 });
  for (let time = 0; time < 5; time++) {
    const { format } = await brief.read(new Uint8Array(Buffer.from('{"larderExport":1}')), DIARY);
    expect(format).toBe('larder');
    // The timer of the idle thread fires before this one.
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await brief.close();
});
