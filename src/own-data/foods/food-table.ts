import { hash } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { type Food, toFoodId } from '@larder/core/food.ts';
import type { PartialNutrients } from '@larder/core/nutrients.ts';
import { tidyNumber } from '@larder/core/rounding.ts';
import { fold } from '@larder/core/words/tokenise.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';
import { type FoodDraft, MAX_LABEL_LENGTH, toCustomFood } from '../../foods/custom/food-draft.ts';
import { parseServingText } from '../../foods/import/normalise/serving-text.ts';
import type { Table, TableRow } from '../../foods/import/table/delimited-table.ts';
import { type DecimalMark, decimalMarkOf, readNumber } from '../../foods/import/table/numbers.ts';
import type { NutrientColumn } from '../../foods/import/table/nutrient-columns.ts';
import { AmountColumns } from '../apps/amount-columns.ts';
import { textOf } from '../apps/diary-table.ts';
import type { Reading } from '../import/reading.ts';
import type { FoodBasis } from '../import-options.ts';
import type { ReadDraft } from '../records/record-fields.ts';

const ROLES = ['name', 'brand', 'barcode', 'aliases', 'serving', 'unit'] as const;
type Role = (typeof ROLES)[number];
/** Headings in English, German, French, Spanish, Italian and Portuguese, folded. */
const NAMES: Readonly<Record<Role, string>> = {
  name: 'name|food|food name|product|product name|item|lebensmittel|produkt|bezeichnung|nom|aliment|produit|nombre|alimento|producto|nome|prodotto|produto|description',
  brand: 'brand|brands|marke|hersteller|marque|marca|manufacturer|fabricant|fabricante',
  barcode:
    'barcode|ean|gtin|upc|code|strichcode|code-barres|code barres|codigo de barras|codice a barre|ean13|ean-13',
  aliases: 'aliases|other names|alias|synonyme|andere namen|sinonimos|sinonimi',
  serving:
    'serving|serving size|portion|portionsgrosse|portion size|taille de portion|porcion|tamano de porcion|racion|porzione|porcao|serving (g)|portion (g)|weight|gramm pro portion|serving size (g)|serving weight',
  unit: 'serving unit|unit|einheit|unite|unidad|unita|unidade',
};
const ROLE_OF: ReadonlyMap<string, Role> = new Map(
  ROLES.flatMap((role) => NAMES[role].split('|').map((name) => [name, role] as const)),
);
const MAX_TITLE_ROWS = 20;
const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Prefix of ids: the time 0, in the form of ids that clients choose. */
const ID_START = '0000000000Z';
const HASHED_CHARACTERS = 15;

/** How a table of foods is read. */
export interface FoodTableTask {
  /** Basis of the amounts, if the headings do not state it. */
  readonly per: FoodBasis | undefined;
  readonly owner: { readonly tenant: string; readonly userId: string | undefined };
  readonly nowMs: number;
}

export interface FoodTableOptions extends FoodTableTask {
  readonly table: Table;
  readonly nutrientOf: (heading: string) => NutrientColumn | undefined;
  readonly readDraft: ReadDraft;
}

interface Headings {
  readonly columns: AmountColumns;
  readonly roles: ReadonlyMap<Role, number>;
  readonly at: number;
}

interface Context extends FoodTableOptions, Headings {
  readonly reading: Reading;
  readonly mark: DecimalMark;
  readonly basis: FoodBasis;
  /** Number of occurrences of each row. */
  readonly times: Map<string, number>;
}

/** Reads a table with a food in each row. Throws `invalid_request` if its amounts are ambiguous. */
export function readFoodTable(reading: Reading, options: FoodTableOptions): void {
  const { table } = options;
  const headings = findHeadings(options);
  const rows = table.rows.slice(headings.at + 1);
  const amounts = rows.flatMap(({ cells }) => headings.columns.positions.map((at) => cells[at] ?? ''));
  const mark = decimalMarkOf(amounts, table.delimiter);
  if (mark === undefined)
    throw invalid(
      'Some numbers of this file have a decimal point and others a decimal comma; write them alike.',
    );
  const basis = basisOf(headings, options, reading);
  const context = { ...options, ...headings, reading, mark, basis, times: new Map<string, number>() };
  reading.ignoredColumns.push(...headings.columns.unused);
  for (const row of rows) reading.add('foods', row.line, () => toFood(row, context));
}

/** The first row with a name and energy. */
function findHeadings({ table: { rows }, nutrientOf }: FoodTableOptions): Headings {
  for (const [at, { cells }] of rows.slice(0, MAX_TITLE_ROWS).entries()) {
    const roles = new Map<Role, number>();
    for (const [position, heading] of cells.entries()) {
      const role = ROLE_OF.get(
        fold(heading)
          .replace(/[_\s]+/g, ' ')
          .trim(),
      );
      if (role !== undefined && !roles.has(role)) roles.set(role, position);
    }
    const columns = new AmountColumns(cells, { nutrientOf, taken: new Set(roles.values()) });
    if (roles.has('name') && columns.has('energy')) return { columns, roles, at };
  }
  const found = (rows[0]?.cells ?? []).slice(0, 20).join(', ').slice(0, 300);
  throw invalid(`The table needs headings for the name and the energy of foods. It has: ${found}.`);
}

/** Returns the basis of the amounts: that of the headings or of the caller, or 100 g without a column of servings. */
function basisOf({ columns, roles }: Headings, { per }: FoodTableOptions, reading: Reading): FoodBasis {
  const stated = columns.stated;
  if (stated.length > 1)
    throw invalid(`The columns of this table are per ${stated.join(' and per ')}; leave one kind in it.`);
  const basis = stated[0] ?? per;
  if (basis !== undefined) return basis;
  if (roles.has('serving')) {
    throw invalid(
      'The table has servings, and its headings do not say what its amounts are in; state "per": 100g, 100ml or serving (--per).',
    );
  }
  reading.note('Amounts were read as those of 100 g; state "per" if they are not.');
  return '100g';
}

/** Throws `invalid_request` for an impossible food. */
function toFood({ line, cells, problem }: TableRow, context: Context): Food {
  const { reading, columns, roles, mark, basis, owner, readDraft, nowMs } = context;
  if (problem !== undefined) throw invalidField('', problem);
  if (cells.length !== columns.headings.length)
    throw invalidField(
      '',
      `The row has ${cells.length} cells, and the headings are ${columns.headings.length}.`,
    );
  const cell = (role: Role) => textOf(cells[roles.get(role) ?? -1]?.trim(), reading) || undefined;
  const macros = columns.nutrientsOf(cells, line, mark, reading);
  const [servingSize, factor] = servingOf(cell('serving'), cell('unit'), basis, mark);
  const aliases = cell('aliases')?.split(/\s*[|/]\s*/);
  const draft: FoodDraft = readDraft({
    name: cell('name') ?? '',
    brand: cell('brand'),
    barcode: cell('barcode'),
    aliases,
    servingSize,
    macros: scaled(macros, factor),
  });
  const row = JSON.stringify([
    owner.tenant,
    owner.userId,
    'foods',
    draft.name,
    draft.brand,
    draft.barcode,
    servingSize,
    draft.macros.energy,
  ]);
  const times = (context.times.get(row) ?? 0) + 1;
  context.times.set(row, times);
  const seconds = Math.floor(nowMs / 1000);
  const id = toFoodId('manual', idOf(row, times));
  const food = toCustomFood(draft, { id, createdAt: seconds, updatedAt: seconds });
  return owner.userId === undefined ? food : { ...food, userId: owner.userId };
}

/** The serving of a food, and the factor from the table's amounts to its amounts. */
function servingOf(
  text: string | undefined,
  unit: string | undefined,
  basis: FoodBasis,
  mark: DecimalMark,
): readonly [FoodDraft['servingSize'], number] {
  const hundred = { value: 100, unit: basis === '100ml' ? 'ml' : 'g' };
  if (text === undefined) {
    if (basis === 'serving') throw invalidField('serving', 'The weight of the serving is missing.');
    return [hundred, 1];
  }
  const number = readNumber(text, mark);
  const full = typeof number === 'number' ? `${number} ${unit ?? 'g'}` : text;
  const { mass, volume } = parseServingText(full);
  const amount = basis === '100ml' ? (volume ?? mass) : (mass ?? volume);
  if (amount === undefined) {
    if (basis === 'serving')
      throw invalidField(
        'serving',
        `"${text.slice(0, 50)}" does not say what the serving weighs; write it as "1 slice (30 g)".`,
      );
    return [hundred, 1];
  }
  const size = { value: tidyNumber(amount.basisAmount), unit: amount === mass ? 'g' : 'ml' };
  const label = full === `${number} g` || full.length > MAX_LABEL_LENGTH ? {} : { label: full };
  return [{ ...size, ...label }, basis === 'serving' ? 1 : size.value / hundred.value];
}

function scaled(nutrients: PartialNutrients, factor: number): PartialNutrients {
  const amounts = Object.entries(nutrients).map(([key, amount]) => [key, tidyNumber(amount * factor)]);
  return Object.fromEntries(amounts);
}

function idOf(row: string, times: number): string {
  const bytes = hash('sha256', `${row}\n${times}`, 'buffer').subarray(0, HASHED_CHARACTERS);
  return ID_START + Array.from(bytes, (byte) => CROCKFORD[byte % CROCKFORD.length]).join('');
}

function invalid(message: string): AppError {
  return new AppError({ code: 'invalid_request', message, details: { fields: ['per'] } });
}
