import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DelimitedReader } from './delimited.ts';

interface Format {
  readonly delimiter: ',' | '\t';
  readonly quoted: boolean;
}
const CSV: Format = { delimiter: ',', quoted: true };
const TSV: Format = { delimiter: '\t', quoted: false };

/** Reads `bytes` in chunks of `chunkBytes`; only the given columns. */
function read(bytes: Buffer, columns: readonly string[], format: Format, chunkBytes = bytes.length) {
  const rows: string[][] = [];
  const numbers: (number | undefined)[][] = [];
  const lines: number[] = [];
  const broken: { line: number; reason: string; example: string }[] = [];
  let header: readonly string[] = [];
  const reader = new DelimitedReader({
    ...format,
    columns,
    onHeader: (names) => {
      header = names;
    },
    onRow: (row) => {
      rows.push(columns.map((column) => row.text(column)));
      numbers.push(columns.map((column) => row.number(column)));
      lines.push(row.line);
    },
    onBroken: (line, reason, example) => broken.push({ line, reason, example }),
  });
  for (let at = 0; at < bytes.length; at += chunkBytes) reader.push(bytes.subarray(at, at + chunkBytes));
  reader.end();
  return { rows, numbers, lines, broken, header };
}

/** A simple character-by-character parser. */
function naiveCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  let field = '';
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const char = text[at]!;
    if (quoted) {
      if (char !== '"') field += char;
      else if (text[at + 1] === '"') field += text[++at];
      else quoted = false;
    } else if (char === '"' && field === '') quoted = true;
    else if (char === ',') {
      row.push(field);
      field = '';
    } else if (char === '\n' || (char === '\r' && text[at + 1] === '\n')) {
      if (char === '\r') at++;
      rows.push([...row, field]);
      row = [];
      field = '';
    } else field += char;
  }
  return rows;
}

const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ',', '"', '\n', '\r', '\t', ' ', '1', '.') });

describe('comma-separated text', () => {
  test('equals a simple parser, for any division into chunks', () => {
    const row = fc.array(text, { minLength: 3, maxLength: 3 });
    fc.assert(
      fc.property(
        fc.array(row, { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        fc.integer({ min: 1, max: 12 }),
        (table, lineEnd, withMark, chunkBytes) => {
          const quote = (field: string) =>
            /[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
          const csv = [['x', 'y', 'z'], ...table].map((fields) => fields.map(quote).join(',')).join(lineEnd);
          const bytes = Buffer.from(`${withMark ? '\uFEFF' : ''}${csv}${lineEnd}`);
          const { rows, broken } = read(bytes, ['x', 'y', 'z'], CSV, chunkBytes);
          expect(rows).toEqual(naiveCsv(csv + lineEnd).slice(1));
          expect(rows).toEqual(table);
          expect(broken).toEqual([]);
        },
      ),
    );
  });

  test('never throws, and reports or reads every row of any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.integer({ min: 1, max: 50 }), (noise, chunkBytes) => {
        const bytes = Buffer.concat([Buffer.from('x,y\n'), noise]);
        const whole = read(bytes, ['x', 'y'], CSV);
        const cut = read(bytes, ['x', 'y'], CSV, chunkBytes);
        expect(cut).toEqual(whole);
      }),
    );
  });

  test('an unclosed quote affects one line', () => {
    const bytes = Buffer.from('x,y\n1,2\n3,"4\n5,6\n');
    const { rows, broken } = read(bytes, ['x', 'y'], CSV);
    expect(rows).toEqual([
      ['1', '2'],
      ['5', '6'],
    ]);
    expect(broken).toEqual([{ line: 3, reason: 'a quote that is never closed', example: '3,"4' }]);
  });

  test('text after a closing quote is reported as broken', () => {
    const { rows, broken } = read(Buffer.from('x,y\n"1"a,2\n3,4'), ['x'], CSV);
    expect(rows).toEqual([['3']]);
    expect(broken).toEqual([{ line: 2, reason: 'text after a closing quote', example: '"1"a,2' }]);
  });

  test('lines are counted through line breaks within quotes', () => {
    expect(read(Buffer.from('x,y\n"1\n\n",2\n\n3,4\n'), ['x'], CSV).lines).toEqual([2, 6]);
  });
});

describe('tab-separated text', () => {
  test('a quote is an ordinary character', () => {
    const { rows } = read(Buffer.from('x\ty\n"a\t5" pizza\n'), ['y', 'x'], TSV);
    expect(rows).toEqual([['5" pizza', '"a']]);
  });

  test('rows with missing or extra columns are reported with their line', () => {
    const { rows, broken } = read(Buffer.from('x\ty\n1\n1\t2\t3\n4\t5\r\n\n'), ['x', 'y'], TSV);
    expect(rows).toEqual([['4', '5']]);
    expect(broken.map(({ line, reason }) => [line, reason])).toEqual([
      [2, 'too few columns'],
      [3, 'too many columns'],
    ]);
  });

  test('a column that the header lacks reads as empty', () => {
    const { rows, numbers, header } = read(Buffer.from('x\n1\n'), ['nothing', 'x'], TSV);
    expect(header).toEqual(['x']);
    expect(rows).toEqual([['', '1']]);
    expect(numbers).toEqual([[undefined, 1]]);
  });

  test('a row over the limit is reported, and the next one is read', () => {
    const long = Buffer.alloc(5 * 1024 * 1024, 'a');
    const bytes = Buffer.concat([Buffer.from('x\n1\n'), long, Buffer.from('\n2\n')]);
    const { rows, broken } = read(bytes, ['x'], TSV, 64 * 1024);
    expect(rows).toEqual([['1'], ['2']]);
    expect(broken.map(({ line, reason }) => [line, reason])).toEqual([[3, 'a row of more than 4 MiB']]);
  });
});

describe('numbers from bytes', () => {
  const numberOf = (field: string) => read(Buffer.from(`x\n${field}\n`), ['x'], TSV).numbers[0]?.[0];

  test('equal the result of Number for the same text', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(numberOf(String(value))).toBe(Number(String(value)));
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1e9 }), fc.integer({ min: 0, max: 9 }), (digits, decimals) => {
        const field = (digits / 10 ** decimals).toFixed(decimals);
        expect(numberOf(field)).toBe(Number(field));
      }),
    );
  });

  test.each(['', 'abc', '1.2.3', '-', '.', '1,5', 'NaN', 'Infinity', '0x10', '1 2'])(
    '%j is not a number',
    (field) => {
      expect(numberOf(field)).toBeUndefined();
    },
  );
});
