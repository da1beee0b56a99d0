import type { RawNutrients } from '../normalise/raw-food.ts';
import { JsonMembers } from '../readers/json-members.ts';
import type { OffProduct } from './food.ts';
import { OFF_NUTRIENT_NAMES, setOffNutrient, setOffNutrientWithUnit } from './nutrients.ts';
import type { OffMarket } from './slice.ts';

/** The fields that are read; API requests ask only for these. */
export const OFF_PRODUCT_MEMBERS = [
  'code',
  'product_name',
  'product_name_en',
  'product_name_fr',
  'product_name_de',
  'product_name_es',
  'product_name_it',
  'abbreviated_product_name',
  'generic_name',
  'brands',
  'brand_owner',
  'quantity',
  'serving_size',
  'serving_quantity',
  'serving_quantity_unit',
  'nutrition_data_per',
  'unique_scans_n',
  'created_t',
  'last_modified_t',
  'nutriments',
  'nutrition',
] as const;
/** The fields of exports that tell where a product is sold. */
const MARKET_MEMBERS = ['countries_tags', 'languages_codes', 'lang', 'lc'] as const;
type Member = (typeof OFF_PRODUCT_MEMBERS | typeof MARKET_MEMBERS)[number];

const OTHER_NAMES = [
  'product_name_en',
  'product_name_fr',
  'product_name_de',
  'product_name_es',
  'product_name_it',
] as const satisfies readonly Member[];

const FIELDS_PER_100 = OFF_NUTRIENT_NAMES.map((name) => [name, `${name}_100g`] as const);
const FIELDS_PER_SERVING = OFF_NUTRIENT_NAMES.map((name) => [name, `${name}_serving`] as const);
const FLAT_FIELDS = [...FIELDS_PER_100, ...FIELDS_PER_SERVING].map(([, field]) => field);

/** Reads products of the export and the product API. One object serves many products. */
export class OffProductReader {
  readonly #members = new JsonMembers<Member>([...OFF_PRODUCT_MEMBERS, ...MARKET_MEMBERS]);
  /** `nutriments` and `nutrition` contain several times the needed data. */
  readonly #nutriments = new JsonMembers(FLAT_FIELDS);
  readonly #nutrition = new JsonMembers(['aggregated_set']);

  /** Countries and languages that the last product states. */
  market(): OffMarket {
    const [countries, languages, lang, lc] = MARKET_MEMBERS.map((name) => this.#members.parse(name));
    return {
      countries: Array.isArray(countries) ? countries.map(toText) : [],
      languages: [...(isObject(languages) ? Object.keys(languages) : []), toText(lang), toText(lc)],
    };
  }

  /** Undefined if the bytes are not a JSON object. Throws a SyntaxError for invalid content. */
  read(bytes: Buffer, start: number, end: number): OffProduct | undefined {
    const members = this.#members;
    if (!members.find(bytes, start, end)) return undefined;
    const text = (name: Member) => toText(members.parse(name));
    const aggregated = readAggregated(bytes, members, this.#nutrition);
    return {
      code: text('code').trim(),
      name: text('product_name') || text('abbreviated_product_name'),
      genericName: text('generic_name'),
      otherNames: OTHER_NAMES.map(text).filter((name) => name !== ''),
      brands: text('brands') || text('brand_owner'),
      quantity: text('quantity'),
      servingText: text('serving_size'),
      servingQuantity: members.number('serving_quantity'),
      servingUnit: text('serving_quantity_unit'),
      scans: members.number('unique_scans_n'),
      createdAt: members.number('created_t'),
      updatedAt: members.number('last_modified_t'),
      isPerServing: text('nutrition_data_per') === 'serving',
      ...(aggregated ?? readFlat(bytes, members, this.#nutriments)),
    };
  }
}

type Stated = Pick<OffProduct, 'per' | 'per100' | 'perServing'>;

function readFlat(bytes: Buffer, members: JsonMembers<Member>, nutriments: JsonMembers<string>): Stated {
  const slice = members.slice('nutriments');
  if (slice === undefined || !nutriments.find(bytes, ...slice)) return { per100: {} };
  const per100: RawNutrients = {};
  const perServing: RawNutrients = {};
  for (const [name, field] of FIELDS_PER_100) setOffNutrient(per100, name, nutriments.number(field));
  for (const [name, field] of FIELDS_PER_SERVING) setOffNutrient(perServing, name, nutriments.number(field));
  return { per100, perServing };
}

/** Undefined if the product has no set of this schema. Numbers estimated from ingredients are left out. */
function readAggregated(
  bytes: Buffer,
  members: JsonMembers<Member>,
  nutrition: JsonMembers<'aggregated_set'>,
): Stated | undefined {
  const slice = members.slice('nutrition');
  if (slice === undefined || !nutrition.find(bytes, ...slice)) return undefined;
  const set = nutrition.parse('aggregated_set');
  if (!isObject(set) || !isObject(set['nutrients'])) return undefined;
  const amounts: RawNutrients = {};
  for (const [name, nutrient] of Object.entries(set['nutrients'])) {
    if (!isObject(nutrient) || nutrient['source'] === 'estimate') continue;
    setOffNutrientWithUnit(amounts, name, toNumber(nutrient['value']), toText(nutrient['unit']));
  }
  const per = toText(set['per']);
  return per === 'serving' ? { per100: {}, perServing: amounts } : { per, per100: amounts };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  return typeof value === 'number' ? String(value) : '';
}

function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? number : undefined;
}
