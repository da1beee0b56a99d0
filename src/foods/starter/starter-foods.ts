import { existsSync } from 'node:fs';
import { type Basis, type Food, leadWithMeasure, type Serving, toFoodId } from '@larder/core/food.ts';
import { FOOD_LANGUAGES, type FoodLanguage, type LocalNames } from '@larder/core/food-languages.ts';
import { hasValidCheckDigit, toGtin } from '@larder/core/gtin.ts';
import { labelAmounts } from '@larder/core/label-amounts.ts';
import { ENGLISH, type LanguageBits, languageBit } from '@larder/core/name-languages.ts';
import {
  NUTRIENT_KEYS,
  type Nutrients,
  type PartialNutrients,
  REQUIRED_NUTRIENTS,
} from '@larder/core/nutrients.ts';
import { toPer100 } from '@larder/core/rounding.ts';
import {
  ALIAS_LANGUAGES,
  BRANDED_TABLE,
  GENERIC_TABLE,
  LIST_SEPARATOR,
  numberIn,
  readTable,
  rowError,
  STARTER_COLUMNS,
  type StarterColumn,
  type TableRow,
} from './starter-table.ts';

/** Columns of the tables of names, one a language: `names/sv.tsv` for Swedish. */
export const NAME_COLUMNS = ['key', 'source', 'names'] as const;

/** The sources of names; those of the project go before those of Open Food Facts. */
export const NAME_SOURCES = ['larder', 'off'] as const;

export function namesTable(code: FoodLanguage): URL {
  return new URL(`names/${code}.tsv`, import.meta.url);
}

/** The names of the tables by the key of a food; the first of each language is the one that is shown. */
function readStarterNames(): ReadonlyMap<string, LocalNames> {
  const names = new Map<string, Partial<Record<FoodLanguage, string[]>>>();
  for (const code of FOOD_LANGUAGES) {
    const table = namesTable(code);
    if (!existsSync(table)) continue;
    for (const { values } of readTable(table, NAME_COLUMNS)) {
      const ofFood = names.get(values.key) ?? {};
      names.set(values.key, ofFood);
      ofFood[code] = [...(ofFood[code] ?? []), ...values.names.split(LIST_SEPARATOR)];
    }
  }
  return names;
}

const SERVING =
  /^(?<amount>\d+(?:\.\d+)?|\d+\/\d+) (?<unit>[^=,]+)(?:, [^=]+)?=(?<basisAmount>\d+(?:\.\d+)?)$/u;

/**
 * A serving in the form of the tables, for example `1 medium=118`, `1/2 cup, sliced=52` or `2 tbsp=32`:
 * amount and household unit, and after the equals sign the same amount in the food's basis. Undefined for any
 * other text.
 */
export function parseServing(text: string, basis: Basis): Serving | undefined {
  const groups = SERVING.exec(text)?.groups;
  if (groups === undefined) return undefined;
  const value = toNumber(groups['amount']!);
  const basisAmount = Number(groups['basisAmount']);
  if (!(value > 0 && basisAmount > 0 && Number.isFinite(value))) return undefined;
  const household = text.slice(0, text.lastIndexOf('='));
  return { value, unit: groups['unit']!, basisAmount, label: `${household} (${basisAmount} ${basis})` };
}

function toNumber(amount: string): number {
  const [numerator, denominator] = amount.split('/');
  return denominator === undefined ? Number(numerator) : Number(numerator) / Number(denominator);
}

/** When the tables were last released; the time of every food in them. */
const RELEASED_AT = Date.UTC(2026, 10, 21) / 1000;

const MAX_POPULARITY = 255;

type StarterRow = TableRow<StarterColumn>;

/**
 * The foods that ship with the project, so that a first start needs no download: generic foods and dishes,
 * then branded products with their GTIN. Throws an `OperatorError` that names file and line if a table is
 * damaged.
 */
export function* readStarterFoods(): Generator<Food> {
  const names = readStarterNames();
  for (const row of readTable(GENERIC_TABLE, STARTER_COLUMNS)) yield toFood(row, names);
  for (const row of readTable(BRANDED_TABLE, STARTER_COLUMNS))
    yield { ...withLabel(toFood(row, names)), ...codeOf(row) };
}

function toFood(row: StarterRow, names: ReadonlyMap<string, LocalNames>): Food {
  const { key, name, brand } = row.values;
  if (!/^[a-z0-9-]{1,60}$/.test(key)) throw rowError(row, `key is not a short kebab-case text: ${key}`);
  if (name === '' || name !== name.trim()) throw rowError(row, 'name is empty or has spaces around it');
  return {
    id: toFoodId('starter', key),
    source: 'public_dataset',
    name,
    ...(brand === '' ? {} : { brand }),
    ...aliasesOf(row),
    localNames: { ...shownNamesOf(row), ...names.get(key) },
    basis: basisOf(row),
    per100: per100Of(row),
    servings: servingsOf(row),
    popularity: popularityOf(row),
    createdAt: RELEASED_AT,
    updatedAt: RELEASED_AT,
  };
}

/** The names of all languages; a name that occurs in several, with or without a capital, is one. */
function aliasesOf({ values }: StarterRow): Pick<Food, 'aliases' | 'nameLanguages'> {
  const names = new Map<string, { name: string; bits: LanguageBits }>();
  const add = (name: string, bits: LanguageBits) => {
    const known = names.get(name.toLowerCase());
    names.set(name.toLowerCase(), { name: known?.name ?? name, bits: (known?.bits ?? 0) | bits });
  };
  for (const name of [values.name, ...listOf(values.aliases)]) add(name, ENGLISH);
  for (const code of ALIAS_LANGUAGES) for (const name of listOf(values[code])) add(name, languageBit(code));
  const [, ...aliases] = [...names.values()].map(({ name }) => name);
  return { aliases, nameLanguages: [...names.values()].map(({ bits }) => bits) };
}

/** The first name of each language with a column; the others are aliases. */
function shownNamesOf({ values }: StarterRow): LocalNames {
  const names: Partial<Record<FoodLanguage, readonly string[]>> = {};
  for (const code of ALIAS_LANGUAGES) if (values[code] !== '') names[code] = listOf(values[code]).slice(0, 1);
  return names;
}

/** Adds the label's serving to a product; the tables have only the values that FoodData Central computed from it. */
function withLabel(food: Food): Food {
  const stated = labelAmounts(food.per100, food.servings[0].basisAmount);
  return stated === undefined ? food : { ...food, stated, per100: toPer100(stated) };
}

function codeOf(row: StarterRow): Pick<Food, 'barcode' | 'gtin'> {
  const { key } = row.values;
  if (!/^\d{8,14}$/.test(key) || !hasValidCheckDigit(toGtin(key))) {
    throw rowError(row, `key is not a GTIN with a valid check digit: ${key}`);
  }
  return { barcode: key, gtin: toGtin(key) };
}

function basisOf(row: StarterRow): Basis {
  const { basis } = row.values;
  if (basis !== 'g' && basis !== 'ml') throw rowError(row, `basis is neither g nor ml: ${basis}`);
  return basis;
}

function per100Of(row: StarterRow): Nutrients {
  const amounts: PartialNutrients = {};
  for (const nutrient of NUTRIENT_KEYS) {
    const amount = numberIn(row, nutrient);
    if (amount !== undefined) amounts[nutrient] = amount;
  }
  for (const nutrient of REQUIRED_NUTRIENTS) {
    if (amounts[nutrient] === undefined) throw rowError(row, `${nutrient} is missing; run npm run starter`);
  }
  return amounts as Nutrients;
}

function servingsOf(row: StarterRow): Food['servings'] {
  const servings = listOf(row.values.servings).map((text): Serving => {
    const serving = parseServing(text, basisOf(row));
    if (serving === undefined) throw rowError(row, `a serving that cannot be read: ${text}`);
    return serving;
  });
  const [first, ...others] = servings;
  if (first === undefined) throw rowError(row, 'no serving');
  return leadWithMeasure([first, ...others], basisOf(row));
}

function popularityOf(row: StarterRow): number {
  const popularity = numberIn(row, 'popularity');
  if (popularity === undefined || !Number.isInteger(popularity) || popularity > MAX_POPULARITY) {
    throw rowError(row, `popularity is not a whole number up to ${MAX_POPULARITY}; run npm run starter`);
  }
  return popularity;
}

function listOf(text: string): string[] {
  return text === '' ? [] : text.split(LIST_SEPARATOR);
}

/** Finds the shipped foods, which are read at the first look-up. */
export function openShippedFoods(): (id: string) => Food | undefined {
  let byId: ReadonlyMap<string, Food> | undefined;
  return (id) => {
    byId ??= new Map(Array.from(readStarterFoods(), (food) => [food.id, food]));
    return byId.get(id);
  };
}
