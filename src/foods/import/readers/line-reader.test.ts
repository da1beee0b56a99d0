import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader } from './line-reader.ts';

/** The lines that a reader delivers for a text in chunks of this size, as `number:line`. */
function linesOf(text: string, pieceBytes: number): string[] {
  const found: string[] = [];
  const reader = new LineReader({
    onLine: (bytes, start, end, line) => found.push(`${line}:${bytes.toString('utf8', start, end)}`),
    onBroken: (line, reason) => found.push(`${line}! ${reason}`),
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += pieceBytes) reader.push(bytes.subarray(at, at + pieceBytes));
  reader.end();
  return found;
}

test('a byte order mark is not part of the first line, for any chunks', () => {
  for (const pieceBytes of [1, 2, 3, 4, 100]) {
    expect(linesOf('\uFEFF{"a":1}\n\uFEFF{}\n', pieceBytes)).toEqual(['1:{"a":1}', '2:\uFEFF{}']);
    expect(linesOf('\uFEFF', pieceBytes)).toEqual([]);
    expect(linesOf('\uFEFF\r\n{}', pieceBytes)).toEqual(['2:{}']);
  }
});

test('blank lines are counted and left out', () => {
  expect(linesOf('{}\r\n\r\n \t\n\n{}\n\r', 5)).toEqual(['1:{}\r', '5:{}']);
});

test('the lines do not depend on the chunks', () => {
  const text = fc.array(fc.constantFrom('{}', 'é', ' ', '\n', '\r\n', '\uFEFF'), { maxLength: 30 });
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 7 }), (parts, pieceBytes) => {
      const whole = parts.join('');
      const expected = whole
        .replace(/^\uFEFF/, '')
        .split('\n')
        .map((line, at) => `${at + 1}:${line}`)
        .filter((line) => /^\d+:.*[^ \t\r]/.test(line));
      expect(linesOf(whole, pieceBytes)).toEqual(expected);
    }),
  );
});
