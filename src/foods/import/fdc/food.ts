import type { FoodFacts } from '@larder/core/food-facts.ts';
import type { RawFood } from '../normalise/raw-food.ts';
import { type BrandedFields, brandedFacts, brandedPart } from './branded.ts';
import diaryEntries from './diary-entries.json' with { type: 'json' };
import {
  ADDITIONAL_DESCRIPTION,
  aliasesIn,
  COMMON_NAME,
  MAX_FDC_ALIASES,
  parseFdcDate,
} from './field-texts.ts';
import {
  furtherNumber,
  furtherNutrients,
  NUTRIENT_COLUMN_COUNT,
  nutrientColumn,
  nutrientsFrom,
} from './nutrients.ts';
import { type FdcPortion, factPortion, portionServings, UNDETERMINED_UNIT } from './portions.ts';

type Json = Readonly<Record<string, unknown>>;

type NoticeNotKept = (nutrient: number) => void;

export type JsonFood =
  | { readonly kind: 'food'; readonly food: RawFood }
  | { readonly kind: 'skipped'; readonly reason: string };

/** `dataType` of the downloads and the API, without text in brackets; true for generic foods. */
const GENERIC_BY_TYPE: ReadonlyMap<string, boolean> = new Map([
  ['Foundation', true],
  ['SR Legacy', true],
  ['Survey', true],
  ['Branded', false],
]);

const DIARY_ENTRIES: ReadonlyMap<string, number> = new Map(Object.entries(diaryEntries));

/** The lists of the downloads, whose elements may lack `dataType`. */
const TYPE_BY_LIST: Readonly<Record<string, string>> = {
  FoundationFoods: 'Foundation',
  SRLegacyFoods: 'SR Legacy',
  SurveyFoods: 'Survey',
  BrandedFoods: 'Branded',
};

/** `foods` is the key of the API's search results. */
export function isFoodList(key: string): boolean {
  return key in TYPE_BY_LIST || key === 'foods';
}

/**
 * One food of the JSON downloads, or of the API in its full, abridged or search form, which differ in how nutrients
 * are written. `list` is the key of its list. With `notice`, which is called for nutrients without a place in the registry, the food
 * has its facts.
 */
export function jsonFood(value: unknown, list: string | undefined, notice?: NoticeNotKept): JsonFood {
  const element = asObject(value);
  const id = number(element['fdcId']);
  if (id === undefined) return { kind: 'skipped', reason: 'no fdcId' };
  const type = text(element['dataType']).replace(/\s*\(.*$/, '') || (TYPE_BY_LIST[list ?? ''] ?? '');
  const isGeneric = GENERIC_BY_TYPE.get(type);
  if (isGeneric === undefined) {
    return { kind: 'skipped', reason: `not a food to serve: ${type || 'no data type'}` };
  }
  const publishedAt = parseFdcDate(text(element['publicationDate']) || text(element['publishedDate']));
  const name = text(element['description']);
  const diaryEntries = diaryEntriesOf(String(number(element['foodCode']) ?? ''));
  const branded = brandedFieldsOf(element);
  const food: RawFood = {
    origin: 'fdc',
    key: String(id),
    name,
    per100: nutrientsFrom(amountsOf(asArray(element['foodNutrients']))),
    aliases: aliasesOf(asArray(element['foodAttributes']), name),
    ...(publishedAt !== undefined && { createdAt: publishedAt, updatedAt: publishedAt }),
    ...(isGeneric
      ? {
          isGeneric,
          ...(diaryEntries > 0 && { diaryEntries }),
          servings: portionServings(asArray(element['foodPortions']).map(toPortion)),
        }
      : brandedPart(branded)),
    ...(notice && {
      facts: {
        dataType: DATA_TYPES[type] ?? type,
        ...factsOf(element, notice),
        ...(publishedAt !== undefined && { createdAt: publishedAt, updatedAt: publishedAt }),
        ...(!isGeneric && brandedFacts(branded)),
      },
    }),
  };
  return { kind: 'food', food };
}

function brandedFieldsOf(element: Json): BrandedFields {
  return {
    gtinUpc: text(element['gtinUpc']),
    brandName: text(element['brandName']),
    brandOwner: text(element['brandOwner']),
    servingSize: number(element['servingSize']),
    servingSizeUnit: text(element['servingSizeUnit']),
    householdText: text(element['householdServingFullText']),
    modifiedAt: parseFdcDate(text(element['modifiedDate'])),
    ingredients: text(element['ingredients']),
    category: text(element['brandedFoodCategory']),
    country: text(element['marketCountry']),
    packageWeight: text(element['packageWeight']),
  };
}

/** The names of types, in full. */
const DATA_TYPES: Readonly<Record<string, string>> = { Survey: 'Survey (FNDDS)' };

function factsOf(element: Json, notice: NoticeNotKept): FoodFacts {
  const nutrients = furtherNutrients(
    asArray(element['foodNutrients']).flatMap((each) => {
      const { id, amount } = idAndAmount(each);
      const further = furtherNumber(id);
      if (further === undefined && nutrientColumn(id) === -1) notice(id);
      return further === undefined || amount === undefined ? [] : [[further, amount] as const];
    }),
  );
  const portions = asArray(element['foodPortions']).map(toPortion).map(factPortion);
  const category =
    text(asObject(element['foodCategory'])['description']) ||
    text(asObject(element['wweiaFoodCategory'])['wweiaFoodCategoryDescription']) ||
    text(element['foodCategory']);
  return {
    ...(nutrients && { nutrients }),
    ...(portions.length > 0 && { portions }),
    ...(category !== '' && { category }),
  };
}

function amountsOf(nutrients: readonly unknown[]): Float64Array {
  const amounts = new Float64Array(NUTRIENT_COLUMN_COUNT).fill(Number.NaN);
  for (const each of nutrients) {
    const { id, amount } = idAndAmount(each);
    const column = nutrientColumn(id);
    if (column >= 0 && amount !== undefined) amounts[column] = amount;
  }
  return amounts;
}

/** The id 0 stands for a missing one. */
function idAndAmount(each: unknown): { readonly id: number; readonly amount: number | undefined } {
  const row = asObject(each);
  const nutrient = asObject(row['nutrient']);
  const id =
    number(nutrient['id']) ??
    number(row['nutrientId']) ??
    number(nutrient['number']) ??
    number(row['nutrientNumber']) ??
    number(row['number']);
  return { id: id ?? 0, amount: number(row['amount']) ?? number(row['value']) };
}

function aliasesOf(attributes: readonly unknown[], name: string): string[] {
  return attributes
    .flatMap((each) => {
      const attribute = asObject(each);
      const type = asObject(attribute['foodAttributeType']);
      const typeId = number(type['id']) ?? typeByName(text(type['name']));
      return aliasesIn(typeId, text(attribute['value']), name);
    })
    .slice(0, MAX_FDC_ALIASES);
}

function typeByName(name: string): number {
  if (name === 'Additional Description') return ADDITIONAL_DESCRIPTION;
  return name === 'Common Name' ? COMMON_NAME : 0;
}

function toPortion(value: unknown, index: number): FdcPortion {
  const portion = asObject(value);
  const unit = asObject(portion['measureUnit']);
  const isDetermined = (number(unit['id']) ?? UNDETERMINED_UNIT) !== UNDETERMINED_UNIT;
  return {
    order: number(portion['sequenceNumber']) ?? index,
    amount: number(portion['amount']) ?? number(portion['value']),
    unit: isDetermined ? text(unit['name']) : undefined,
    description: text(portion['portionDescription']),
    modifier: text(portion['modifier']),
    grams: number(portion['gramWeight']) ?? 0,
  };
}

function asObject(value: unknown): Json {
  return typeof value === 'object' && value !== null ? (value as Json) : {};
}

function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string {
  return typeof value === 'string' ? value.trim() : '';
}

/** Accepts numbers written as text, too, as for nutrient numbers and some amounts. */
function number(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/**
 * Number of diary entries of a survey food (FNDDS food code) in NHANES 2007 to 2010, two days of about 18,000 people
 * (public domain). 0 for later codes. `npm run starter` counts them.
 */
export function diaryEntriesOf(foodCode: string): number {
  return DIARY_ENTRIES.get(foodCode) ?? 0;
}
