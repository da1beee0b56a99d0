import { readFile } from 'node:fs/promises';
import { OperatorError } from '@larder/core/errors.ts';
import { type FoodLanguage, foodLanguageOf } from '@larder/core/food-languages.ts';
import { NUTRIENT_KEYS, type NutrientKey } from '@larder/core/nutrients.ts';
import { fold } from '@larder/core/words/tokenise.ts';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { readError } from '../../../files/file-errors.ts';
import type { RawNutrients } from '../normalise/raw-food.ts';
import { factorOf, gramsIn } from './nutrient-columns.ts';
import { AMOUNT_BASES, type AmountBasis, TABLE_NAME } from './table-limits.ts';

/** A column with amounts of a nutrient. */
export interface AmountColumn {
  readonly kind: 'amount';
  readonly nutrient: keyof RawNutrients;
  /** Amount in the unit of `nutrient` in 1 of the column. */
  readonly factor: number;
  /** That of the table if undefined. */
  readonly per?: AmountBasis;
}

/** The meaning of a column. */
export type ColumnMeaning =
  | AmountColumn
  /** `name` is shown, `alias` is found too. The language is that of the table if undefined. */
  | { readonly kind: 'name' | 'alias'; readonly language?: FoodLanguage }
  /**
   * `serving` is "1 slice (30 g)", or grams if it is a number; `basis` says "per 100 ml"; `nutrient` and `value` are those of a table with
   * one amount a row.
   */
  | { readonly kind: 'code' | 'barcode' | 'brand' | 'serving' | 'basis' | 'nutrient' | 'value' };

const OTHER_KINDS = ['code', 'barcode', 'brand', 'serving', 'basis', 'nutrient', 'value'] as const;

/** Amounts that tables state instead of a nutrient of the catalogue, as `RawNutrients` has them in g. */
const FORMS = {
  salt: 'saltG',
  alcohol: 'alcoholG',
  polyols: 'polyolsG',
  erythritol: 'erythritolG',
} as const satisfies Record<string, keyof RawNutrients>;

const mapSchema = z.strictObject({
  name: z
    .string()
    .regex(TABLE_NAME, 'must be up to 20 characters of a-z, 0-9 and "-", a letter first')
    .describe('Begins the ids of the foods.'),
  title: z.string().optional(),
  source: z.string().optional().describe('Where the table comes from.'),
  origin: z.enum(['table', 'ciqual', 'bls']).default('table'),
  signature: z.array(z.string()).optional().describe('Headings by which a table of this layout is known.'),
  language: z
    .string()
    .refine((tag) => foodLanguageOf(tag) !== undefined, 'is no language of foods')
    .optional()
    .describe('Language of the names.'),
  sheets: z.array(z.string()).optional().describe('Sheets of a spreadsheet that are read; others are not.'),
  per: z.enum(AMOUNT_BASES).optional().describe('What amounts are stated for.'),
  decimal: z.enum(['.', ',']).optional(),
  traces: z.array(z.string()).default([]).describe('Texts for an amount too small to measure: 0.'),
  unknown: z.array(z.string()).default([]).describe('Texts for an amount that nobody knows.'),
  columns: z.record(z.string(), z.string()).describe('The meaning of each column by its heading.'),
  nutrients: z
    .record(z.string(), z.string())
    .default({})
    .describe('The meaning of each text in a column `nutrient`.'),
});

type MapText = z.input<typeof mapSchema>;

/** A map: the meanings of a table's columns. */
export interface TableMap extends Omit<z.output<typeof mapSchema>, 'columns' | 'nutrients'> {
  readonly columns: ReadonlyMap<string, ColumnMeaning>;
  readonly nutrients: ReadonlyMap<string, AmountColumn>;
  /** The meanings as the map has them, by heading. */
  readonly meanings: ReadonlyMap<string, string>;
  /** The first heading of a name, for messages. */
  readonly nameHeading: string;
  /** The map as it is written to a file. */
  readonly text: string;
}

/** Parses a map in YAML. Throws an `OperatorError` that names what is wrong. */
export function parseTableMap(yaml: string, path: string): TableMap {
  let value: unknown;
  try {
    value = parse(yaml);
  } catch (error) {
    throw new OperatorError(`${path} is no valid YAML: ${(error as Error).message.split('\n')[0]}`);
  }
  const parsed = mapSchema.safeParse(value);
  if (!parsed.success) {
    const { path: at, message } = parsed.error.issues[0]!;
    throw new OperatorError(`${path} is no map of a table: ${at.join('.') || 'it'}: ${message}.`);
  }
  return toTableMap(parsed.data, path);
}

/** Reads the map in a file. */
export async function readTableMap(path: string): Promise<TableMap> {
  let yaml: string;
  try {
    yaml = await readFile(path, 'utf8');
  } catch (error) {
    throw readError(path, error);
  }
  return parseTableMap(yaml, path);
}

/** Makes a map of its parts. Throws an `OperatorError` for a meaning that does not exist. */
export function toTableMap(map: MapText, path: string): TableMap {
  const full = mapSchema.parse(map);
  const columns = new Map<string, ColumnMeaning>();
  for (const [heading, meaning] of Object.entries(full.columns)) {
    columns.set(columnKey(heading), meaningOf(meaning) ?? unknownMeaning(path, heading, meaning));
  }
  const meanings = new Map(
    Object.entries(full.columns).map(([heading, meaning]) => [columnKey(heading), meaning]),
  );
  const nutrients = new Map<string, AmountColumn>();
  for (const [name, meaning] of Object.entries(full.nutrients)) {
    const amount = meaningOf(meaning);
    if (amount?.kind !== 'amount') throw unknownMeaning(path, name, meaning);
    nutrients.set(columnKey(name), amount);
  }
  const kinds = new Set([...columns.values()].map(({ kind }) => kind));
  const nameHeading = Object.keys(full.columns).find(
    (heading) => columns.get(columnKey(heading))?.kind === 'name',
  );
  if (nameHeading === undefined) throw new OperatorError(`${path} names no column as "name".`);
  if (kinds.has('nutrient') !== kinds.has('value')) {
    throw new OperatorError(
      `${path} needs a column "value" beside "nutrient": a table with one amount a row has both.`,
    );
  }
  return { ...full, columns, meanings, nutrients, nameHeading, text: stringify(map, { lineWidth: 0 }) };
}

/** Spelling by which headings are compared: letters and digits, without differences of case and accents. */
export function columnKey(heading: string): string {
  return fold(heading)
    .replace(/[µμ]/g, 'u')
    .replace(/[^\p{L}\p{N}]+/gu, '');
}

/** The meaning that a text names: `code`, `name de`, `energy kJ`, `protein g per serving`; undefined if it names none. */
export function meaningOf(text: string): ColumnMeaning | undefined {
  const [kind = '', ...rest] = text.trim().split(/\s+/);
  if (OTHER_KINDS.includes(kind as never)) {
    return rest.length === 0 ? { kind: kind as (typeof OTHER_KINDS)[number] } : undefined;
  }
  if (kind === 'name' || kind === 'alias') {
    const [tag, ...others] = rest;
    if (tag === undefined) return { kind };
    const language = foodLanguageOf(tag);
    return others.length > 0 || language === undefined ? undefined : { kind, language };
  }
  const [unit = '', per, basis, ...others] = rest;
  if (others.length > 0 || (per !== undefined && (per !== 'per' || !AMOUNT_BASES.includes(basis as never))))
    return undefined;
  const amount = amountOf(kind, unit.replace(/[µμ]/, 'u'));
  return amount && { ...amount, ...(basis !== undefined && { per: basis as AmountBasis }) };
}

function amountOf(name: string, written: string): AmountColumn | undefined {
  const unit = written.toLowerCase();
  // kJ beside kcal tell which of two is wrong.
  if (name === 'energy' && unit === 'kj') return { kind: 'amount', nutrient: 'energyKj', factor: 1 };
  const form = Object.hasOwn(FORMS, name) ? FORMS[name as keyof typeof FORMS] : undefined;
  const isKnown = form !== undefined || NUTRIENT_KEYS.includes(name as NutrientKey);
  if (!isKnown || unit === '') return undefined;
  const factor = form === undefined ? factorOf(name as NutrientKey, unit) : gramsIn(unit);
  if (factor === undefined) return undefined;
  return { kind: 'amount', nutrient: form ?? (name as NutrientKey), factor: Number(factor.toPrecision(12)) };
}

function unknownMeaning(path: string, heading: string, meaning: string): never {
  throw new OperatorError(
    `${path} gives "${heading}" the meaning "${meaning}", which does not exist. A column is one of ${OTHER_KINDS.join(', ')}, name, alias (with a ` +
      `language: "name de"), or a nutrient with its unit: "energy kJ", "salt g", "vitaminD ug per serving"; nutrients are ` +
      `${[...NUTRIENT_KEYS, ...Object.keys(FORMS)].join(', ')}.`,
  );
}
