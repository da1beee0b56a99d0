import { readdir, readFile } from 'node:fs/promises';
import { OperatorError } from '@larder/core/errors.ts';
import type { NutrientColumn } from './nutrient-columns.ts';
import type { Cell, Sheet, SheetRow } from './sheets.ts';
import type { AmountBasis } from './table-limits.ts';
import {
  type ColumnMeaning,
  columnKey,
  meaningOf,
  parseTableMap,
  type TableMap,
  toTableMap,
} from './table-map.ts';

/** Rows among which the headings are. */
const MAX_TITLE_ROWS = 30;
const MAPS = new URL('./maps/', import.meta.url);
const UNIT = /^[([]?\s*(k?g|[mµμu]g|mcg|kcal|kj|iu|ie)\s*(?:\/\s*100\s*(?:g|ml))?\s*[)\]]?$/i;

/** The layout of the headings of a sheet. */
export interface Headings {
  readonly names: readonly string[];
  /** Number of rows of the sheet up to the last one of the headings. */
  readonly rows: number;
}

/** The columns of a map in a sheet. */
export interface Layout extends Headings {
  readonly sheet: Sheet;
  readonly meanings: readonly (ColumnMeaning | undefined)[];
}

export interface HeadingWords {
  readonly nutrientOf: (heading: string) => NutrientColumn | undefined;
  readonly meaningOf: (heading: string) => string | undefined;
}

let known: Promise<readonly TableMap[]> | undefined;

/** The maps of tables that are known by their headings, by name. */
export function knownMaps(): Promise<readonly TableMap[]> {
  known ??= readdir(MAPS).then((names) =>
    Promise.all(
      names.sort().map(async (name) => parseTableMap(await readFile(new URL(name, MAPS), 'utf8'), name)),
    ),
  );
  return known;
}

/** The layout of a sheet by a map; undefined if it lacks what the map needs. */
export function layoutOf(sheet: Sheet, map: TableMap): Layout | undefined {
  const found = headingsOf(sheet)
    .map((headings) => ({
      headings,
      meanings: headings.names.map((name) => map.columns.get(columnKey(name))),
    }))
    .map((each) => ({ ...each, count: each.meanings.filter((meaning) => meaning !== undefined).length }))
    .sort((a, b) => b.count - a.count)[0];
  if (found === undefined || found.count < 2) return undefined;
  const kinds = new Set(found.meanings.map((meaning) => meaning?.kind));
  const isPart = kinds.has('code') && (kinds.has('amount') || kinds.has('value'));
  return kinds.has('name') || isPart ? { sheet, ...found.headings, meanings: found.meanings } : undefined;
}

/** The known map that has the layout of one of the sheets. */
export async function knownMapOf(sheets: readonly Sheet[]): Promise<TableMap | undefined> {
  const found = sheets.flatMap((sheet) =>
    headingsOf(sheet).map(({ names }) => new Set(names.map(columnKey))),
  );
  return (await knownMaps()).find(({ signature }) =>
    found.some((names) => signature?.every((heading) => names.has(columnKey(heading)))),
  );
}

/** Proposes a map by the names and units of the headings. Throws an `OperatorError` if they do not suffice. */
export function proposeMap(
  sheet: Sheet,
  words: HeadingWords,
  given: { readonly name: string; readonly per?: AmountBasis | undefined },
): TableMap {
  const best = headingsOf(sheet)
    .map((headings) => proposed(headings.names, words))
    .sort((a, b) => b.size - a.size)[0];
  const meanings = [...(best?.values() ?? [])];
  if (!meanings.some((each) => /^name\b/.test(each)) || !meanings.some((each) => /^energy\b/.test(each))) {
    const [first] = sheet.rows();
    const start = (first?.cells ?? []).join(', ').slice(0, 200);
    throw new OperatorError(
      `${sheet.name} has no headings for the name and the energy of foods that are known. It begins with "${start}". Write a map (--map): ` +
        'docs/importing.md shows one.',
    );
  }
  const columns = Object.fromEntries(best!);
  return toTableMap({ ...given, per: given.per, columns }, 'The proposed map');
}

/** The meaning of each heading that is understood, the better of two columns for one nutrient. */
function proposed(
  names: readonly string[],
  { nutrientOf, meaningOf: other }: HeadingWords,
): Map<string, string> {
  const columns = new Map<string, string>();
  const taken = new Set<string>();
  const put = (heading: string, meaning: string) => {
    if (taken.has(meaning)) return;
    taken.add(meaning);
    columns.set(heading, meaning);
  };
  for (const heading of names) {
    const meaning = other(heading);
    // Further columns of names are other names of the food.
    if (meaning === 'name') put(heading, taken.has('name') ? 'alias' : 'name');
    else if (meaning !== undefined) put(heading, meaning);
    else {
      const column = nutrientOf(heading);
      const text = column && textOf(column, heading);
      if (text !== undefined && meaningOf(text) !== undefined) put(heading, text);
    }
  }
  return columns;
}

/** The text of a map for a column; undefined if its unit is not certain. */
function textOf({ nutrient, unit, per, isSalt }: NutrientColumn, heading: string): string | undefined {
  const name = isSalt ? 'salt' : nutrient;
  const written =
    unit === 'kj'
      ? 'kJ'
      : unit === 'mcg'
        ? 'ug'
        : unit?.startsWith('gr')
          ? 'g'
          : unit?.startsWith('cal')
            ? 'kcal'
            : unit;
  const usual =
    nutrient === 'energy'
      ? /[ck]al/i.test(heading)
        ? 'kcal'
        : undefined
      : MACROS.has(name)
        ? 'g'
        : undefined;
  const stated = written === 'iu' ? 'IU' : (written ?? usual);
  return stated && `${name} ${stated}${per === undefined ? '' : ` per ${per}`}`;
}

const MACROS: ReadonlySet<string> = new Set([
  ...[
    'protein',
    'fat',
    'carbohydrates',
    'fiber',
    'sugars',
    'addedSugars',
    'saturatedFat',
    'transFat',
    'salt',
  ],
]);

/** The rows that may be the headings: each of the first ones, alone and with the row of units below it. */
function headingsOf(sheet: Sheet): readonly Headings[] {
  const rows: SheetRow[] = [];
  for (const row of sheet.rows()) {
    rows.push(row);
    if (rows.length === MAX_TITLE_ROWS) break;
  }
  return rows.flatMap(({ cells }, at): Headings[] => {
    const names = cells.map(headingText);
    const below = rows[at + 1]?.cells ?? [];
    const units = names.map((_, column) =>
      UNIT.test(headingText(below[column])) ? headingText(below[column]) : '',
    );
    const plain = { names, rows: at + 1 };
    if (units.filter((unit) => unit !== '').length < 2) return [plain];
    const withUnits = names.map((name, column) =>
      units[column] === '' ? name : `${name} (${units[column]!.replace(/[()[\]]/g, '')})`,
    );
    return [{ names: withUnits, rows: at + 2 }, plain];
  });
}

function headingText(cell: Cell | undefined): string {
  return cell === undefined ? '' : String(cell).trim().replace(/\s+/g, ' ');
}
