import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/runs.ts';
import { asUtf8, headAsUtf8 } from './utf8.ts';

async function read(bytes: Buffer, chunkBytes = bytes.length || 1) {
  const noticed: string[] = [];
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  }
  const parts: Buffer[] = [];
  const sink = { noticed: (reason: string, example: string) => void noticed.push(`${reason}: ${example}`) };
  for await (const part of asUtf8('foods.csv', chunks(), sink)) parts.push(part);
  return { text: Buffer.concat(parts).toString(), noticed };
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
const TABLE = 'code\tname\n1\tCrème brûlée\n2\tÄpfel für €2\n';

test.each([
  ['UTF-8', Buffer.from(TABLE)],
  ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${TABLE}`, 'utf16le')],
  ['UTF-16 without one', Buffer.from(TABLE, 'utf16le')],
  ['UTF-16 with the larger byte first', utf16be(`\ufeff${TABLE}`)],
  ['UTF-16 with the larger byte first, unmarked', utf16be(TABLE)],
])('%s is read without a finding', async (_, bytes) => {
  expect(await read(bytes)).toEqual({ text: TABLE, noticed: [] });
  expect((await read(bytes, 2)).text).toBe(TABLE);
  expect(headAsUtf8(bytes)!.toString().replace('\ufeff', '')).toBe(TABLE);
});

test('lines in Windows-1252 are decoded as such and reported', async () => {
  const bytes = Buffer.from(TABLE.replace('€', '\x80'), 'latin1');
  const { text, noticed } = await read(bytes);
  expect(text).toBe(TABLE);
  expect(noticed).toEqual([
    'line in Windows-1252 or Latin-1 read as such: foods.csv:2:5 1\tCrème brûlée',
    'line in Windows-1252 or Latin-1 read as such: foods.csv:3:3 2\tÄpfel für €2',
  ]);
});

test('a line with characters of both is kept with a replacement character, and reported with its column', async () => {
  const mixed = Buffer.concat([Buffer.from('a\nCrème br'), Buffer.of(0xfb), Buffer.from('lée\n')]);
  expect(await read(mixed)).toEqual({
    text: 'a\nCrème br\ufffdlée\n',
    noticed: [
      'bytes that are neither UTF-8 nor certainly Windows-1252 replaced: foods.csv:2:10 CrÃ¨me brûlÃ©e',
    ],
  });
  const undefinedByte = Buffer.concat([Buffer.from('Caf'), Buffer.of(0x81)]);
  expect((await read(undefinedByte)).noticed[0]).toMatch(/^bytes that are neither .*:1:4 /);
});

test('NULs at the end of a preallocated file do not make it binary data', () => {
  const text = Buffer.from('code\tname\n1\tJalapeño\n');
  expect(headAsUtf8(Buffer.concat([text, Buffer.alloc(500)]))).toEqual(text);
  expect(headAsUtf8(Buffer.alloc(500))).toBeUndefined();
});

test('NUL characters are skipped and counted, in any row', async () => {
  const rows = Array.from({ length: 5_000 }, (_, row) => `${row}\tfood ${row}\n`);
  rows[0] = '0\tfo\0od 0\n';
  rows[4_999] = '4999\tfood\0\0 4999\n';
  const { text, noticed } = await read(Buffer.from(rows.join('')), 1_000);
  expect(text).toBe(rows.join('').replaceAll('\0', ''));
  expect(noticed.map((each) => each.replace(/\s.*/, ''))).toHaveLength(3);
  expect(noticed[0]).toMatch(/^NUL character skipped: foods\.csv:1:5 /);
  expect(noticed[2]).toMatch(/^NUL character skipped: foods\.csv:5000:10 /);
  expect(headAsUtf8(Buffer.from(rows.join('')))).toBeDefined();
});

test('a file of many NULs is not text', () => {
  expect(headAsUtf8(Buffer.from([0x89, 0x50, 0, 0, 0, 0x0d, 0x49, 0x48, 0, 0, 2, 0, 0, 0]))).toBeUndefined();
});

test('any text is the same in chunks of any size, and any bytes become valid text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), async (text, size) => {
      const plain = text.toWellFormed().replaceAll('\0', '');
      fc.pre(plain.length > 3 && !/^[\ufffe\ufeff]/.test(plain));
      expect((await read(Buffer.from(plain), size)).text).toBe(plain);
    }),
    { numRuns: runs(300) },
  );
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.integer({ min: 1, max: 50 }),
      async (bytes, size) => {
        const { text } = await read(Buffer.from(bytes), size);
        expect(text.isWellFormed()).toBe(true);
      },
    ),
    { numRuns: runs(300) },
  );
});
