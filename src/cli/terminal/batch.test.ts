import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesOf, MAX_LINE_BYTES } from './batch.ts';

test('lines do not depend on the chunks', async () => {
  const line = fc.string({ unit: 'grapheme', maxLength: 12 }).map((text) => text.replace(/[\r\n]/g, ''));
  await fc.assert(
    fc.asyncProperty(
      fc.array(line),
      fc.constantFrom('\n', '\r\n'),
      fc.nat({ max: 7 }),
      async (lines, end, size) => {
        const bytes = Buffer.from(lines.map((text) => text + end).join(''));
        expect(await read(chunksOf(bytes, size + 1))).toEqual(lines);
      },
    ),
  );
});

test('the last line needs no line break, and an empty text has no lines', async () => {
  expect(await read(['a\n\nb'])).toEqual(['a', '', 'b']);
  expect(await read([])).toEqual([]);
});

test('an endless line is cut, and the next one is complete', async () => {
  const part = 'x'.repeat(1000);
  const lines = await read([...Array.from({ length: 200 }, () => part), '\nnext\n']);
  expect(lines.map(({ length }) => length)).toEqual([MAX_LINE_BYTES, 4]);
});

async function read(chunks: Iterable<Buffer | string>): Promise<string[]> {
  const stream = async function* () {
    yield* chunks;
  };
  const lines: string[] = [];
  for await (const line of linesOf(stream())) lines.push(line);
  return lines;
}

function* chunksOf(bytes: Buffer, size: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
