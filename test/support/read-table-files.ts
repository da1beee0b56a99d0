import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import writeWorkbook from 'write-excel-file/node';
import type { RawFood } from '../../src/foods/import/normalise/raw-food.ts';
import { openTable, type TableRequest } from '../../src/foods/import/table/table-source.ts';
import { tempFolder } from './temp-folder.ts';

type Content = string | Buffer | Readonly<Record<string, readonly (readonly (string | number | null)[])[]>>;

async function workbook(sheets: Exclude<Content, string | Buffer>): Promise<Buffer> {
  const cells = Object.values(sheets).map((rows) =>
    rows.map((row) =>
      row.map((value) =>
        value === null ? null : { value, type: typeof value === 'number' ? Number : String },
      ),
    ),
  );
  const written = cells.map((data, at) => ({ data, sheet: Object.keys(sheets)[at]! }));
  return writeWorkbook(written as never).toBuffer();
}

/** Reads a table from its files by name. */
export async function readTableFiles(
  files: Readonly<Record<string, Content>>,
  request: Partial<TableRequest> = {},
) {
  using folder = tempFolder();
  const paths: string[] = [];
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder.path, name);
    const bytes = typeof content === 'string' || Buffer.isBuffer(content) ? content : await workbook(content);
    await writeFile(path, bytes);
    paths.push(path);
  }
  const table = await openTable(paths, { map: undefined, per: undefined, name: 'mine', ...request });
  const foods: RawFood[] = [];
  const others: string[] = [];
  await table.sources[0]!.read(
    {
      food: (food) => foods.push(food),
      skipped: (reason) => others.push(`skipped: ${reason}`),
      broken: (where, reason) => others.push(`${where}: ${reason}`),
      noticed: (reason, example) => others.push(`${reason}: ${example}`),
    },
    () => {},
    new AbortController().signal,
  );
  return { table, foods, others };
}

/** The name, key and amounts of each food. */
export function amounts(foods: readonly RawFood[]) {
  return foods.map(({ origin, key, name, per100, perServing }) => ({
    id: `${origin}:${key}`,
    name,
    ...per100,
    ...perServing,
  }));
}

export const APPLE = { energy: 52, protein: 0.3, fat: 0.2, carbohydrates: 11.4 };
