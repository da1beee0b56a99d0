import { parquetReadObjects } from 'hyparquet';
import { expect, test } from 'vitest';
import { parquetFile } from './parquet.ts';

test('a written file is read back', async () => {
  const rows = 1_000;
  const texts = (prefix: string) => Array.from({ length: rows }, (_, row) => `${prefix} ${row} ü`);
  const group = [
    { path: ['code'], texts: texts('code') },
    { path: ['product_name', 'list', 'element', 'lang'], texts: texts('lang') },
    { path: ['product_name', 'list', 'element', 'text'], texts: texts('text') },
    { path: ['nutriments', 'list', 'element', 'name'], texts: texts('name') },
    {
      path: ['nutriments', 'list', 'element', '100g'],
      numbers: Array.from({ length: rows }, (_, row) => row / 2),
    },
  ];
  const file = parquetFile([group, group]);
  const { buffer, byteOffset, byteLength } = file;
  const read = await parquetReadObjects({
    file: buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer,
  });
  expect(read).toHaveLength(2 * rows);
  expect(read[rows + 7]).toEqual({
    code: 'code 7 ü',
    product_name: [{ lang: 'lang 7 ü', text: 'text 7 ü' }],
    nutriments: [{ name: 'name 7 ü', '100g': 3.5 }],
  });
});
