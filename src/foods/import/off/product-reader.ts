import type { RawNutrients } from '../normalise/raw-food.ts';
import { JsonMembers } from '../readers/json-members.ts';
import {
  FurtherAmounts,
  NO_LANGUAGE,
  OFF_FACT_NUMBERS,
  OFF_FACT_TAGS,
  OFF_FACT_TEXTS,
  OFF_LOCAL_TEXTS,
  type OffFactFields,
  type OffLocalText,
} from './facts.ts';
import { isName, type OffProduct } from './food.ts';
import {
  isOffNutrient,
  OFF_NUTRIENT_NAMES,
  setOffNutrient,
  setOffNutrientWithUnit,
  setWrittenNutrient,
  writtenAmount,
} from './nutrients.ts';
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
type ProductMember = (typeof OFF_PRODUCT_MEMBERS | typeof MARKET_MEMBERS)[number];
type Member = ProductMember | FactMember;

/** Languages that texts may be in: all of ISO 639-1 that Unicode has a name of. */
const LANGUAGES = codesOf2Letters();
type FactMember =
  | (typeof OFF_FACT_TEXTS | typeof OFF_FACT_TAGS | typeof OFF_FACT_NUMBERS | typeof OFF_LOCAL_TEXTS)[number]
  | 'images'
  | `${OffLocalText}_${string}`;
const FACT_MEMBERS: readonly FactMember[] = [
  ...OFF_FACT_TEXTS,
  ...OFF_FACT_TAGS,
  ...OFF_FACT_NUMBERS,
  ...OFF_LOCAL_TEXTS,
  'images',
  ...OFF_LOCAL_TEXTS.flatMap((name) => LANGUAGES.map((code) => `${name}_${code}` as const)),
];

function codesOf2Letters(): readonly string[] {
  const names = new Intl.DisplayNames(['en'], { type: 'language', fallback: 'none' });
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  return letters
    .flatMap((first) => letters.map((second) => first + second))
    .filter((code) => names.of(code) !== undefined);
}

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
  readonly #members: JsonMembers<Member>;
  /** `nutriments` and `nutrition` contain several times the needed data. */
  readonly #nutriments = new JsonMembers(FLAT_FIELDS);
  readonly #takesFacts: boolean;
  readonly #nutrition = new JsonMembers(['aggregated_set']);

  constructor({ takesFacts = false }: { readonly takesFacts?: boolean | undefined } = {}) {
    const names = [...OFF_PRODUCT_MEMBERS, ...MARKET_MEMBERS, ...(takesFacts ? FACT_MEMBERS : [])];
    this.#members = new JsonMembers<Member>([...new Set(names)]);
    this.#takesFacts = takesFacts;
  }

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
    const further = this.#takesFacts ? new FurtherAmounts(isOffNutrient) : undefined;
    const aggregated = readAggregated(bytes, members, this.#nutrition, further);
    if (further !== undefined && aggregated === undefined) readFurther(bytes, members, further);
    return {
      code: text('code').trim(),
      name:
        [text('product_name'), text('abbreviated_product_name')].find(isName) ?? localName(bytes, start, end),
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
      ...(further && { further, facts: new JsonFacts(members) }),
    };
  }
}

/** The fields of facts of the product that `members` found last. */
class JsonFacts implements OffFactFields {
  readonly #members: JsonMembers<Member>;

  constructor(members: JsonMembers<Member>) {
    this.#members = members;
  }

  text(name: Parameters<OffFactFields['text']>[0]): string {
    return toText(this.#members.parse(name));
  }

  tags(name: Parameters<OffFactFields['tags']>[0]): readonly string[] {
    const tags = this.#members.parse(name);
    return Array.isArray(tags) ? tags.map(toText) : [];
  }

  number(name: Parameters<OffFactFields['number']>[0]): number | undefined {
    return this.#members.number(name);
  }

  texts(name: OffLocalText): Readonly<Record<string, string>> {
    const codes = this.#members.parse('languages_codes');
    const own = this.text('lang') || toText(this.#members.parse('lc'));
    const texts: Record<string, string> = {};
    for (const code of new Set([own, ...(isObject(codes) ? Object.keys(codes) : [])])) {
      const text = LANGUAGES.includes(code) ? toText(this.#members.parse(`${name}_${code}`)) : '';
      if (text !== '') texts[code] = text;
    }
    const main = toText(this.#members.parse(name));
    if (main !== '' && !Object.values(texts).includes(main)) texts[own || NO_LANGUAGE] ??= main;
    return texts;
  }

  /** Until schema 1002 by `front_de`, later `selected` by kind and language. */
  *images(): Iterable<readonly [key: string, revision: string]> {
    const images = this.#members.parse('images');
    if (!isObject(images)) return;
    const selected = images['selected'];
    if (!isObject(selected)) {
      for (const [key, photo] of Object.entries(images))
        if (isObject(photo)) yield [key, toText(photo['rev'])];
      return;
    }
    for (const [kind, languages] of Object.entries(selected)) {
      if (!isObject(languages)) continue;
      for (const [language, photo] of Object.entries(languages))
        if (isObject(photo)) yield [`${kind}_${language}`, toText(photo['rev'])];
    }
  }
}

/** All names are read, so that those without a place in the registry are counted. */
function readFurther(bytes: Buffer, members: JsonMembers<Member>, further: FurtherAmounts): void {
  const slice = members.slice('nutriments');
  const nutriments = slice === undefined ? undefined : JSON.parse(bytes.toString('utf8', ...slice));
  if (!isObject(nutriments)) return;
  for (const [field, value] of Object.entries(nutriments)) {
    if (field.endsWith('_100g')) further.add('per100', field.slice(0, -'_100g'.length), toNumber(value));
    else if (field.endsWith('_serving'))
      further.add('perServing', field.slice(0, -'_serving'.length), toNumber(value));
  }
}

type Stated = Pick<OffProduct, 'per' | 'per100' | 'perServing'>;

function readFlat(bytes: Buffer, members: JsonMembers<Member>, nutriments: JsonMembers<string>): Stated {
  const slice = members.slice('nutriments');
  if (slice === undefined || !nutriments.find(bytes, ...slice)) return { per100: {} };
  const per100: RawNutrients = {};
  const perServing: RawNutrients = {};
  const set = (into: RawNutrients, name: string, field: string) => {
    const amount = nutriments.number(field);
    const written = amount === undefined ? nutriments.parse(field) : undefined;
    if (typeof written === 'string') setWrittenNutrient(into, name, written);
    else setOffNutrient(into, name, amount);
  };
  for (const [name, field] of FIELDS_PER_100) set(per100, name, field);
  for (const [name, field] of FIELDS_PER_SERVING) set(perServing, name, field);
  return { per100, perServing };
}

/** Undefined if the product has no set of this schema. Numbers estimated from ingredients are left out. */
function readAggregated(
  bytes: Buffer,
  members: JsonMembers<Member>,
  nutrition: JsonMembers<'aggregated_set'>,
  further: FurtherAmounts | undefined,
): Stated | undefined {
  const slice = members.slice('nutrition');
  if (slice === undefined || !nutrition.find(bytes, ...slice)) return undefined;
  const set = nutrition.parse('aggregated_set');
  if (!isObject(set) || !isObject(set['nutrients'])) return undefined;
  const amounts: RawNutrients = {};
  const per = toText(set['per']);
  const isPerServing = per === 'serving';
  for (const [name, nutrient] of Object.entries(set['nutrients'])) {
    if (!isObject(nutrient) || nutrient['source'] === 'estimate') continue;
    const stated = [name, toNumber(nutrient['value']), toText(nutrient['unit'])] as const;
    setOffNutrientWithUnit(amounts, ...stated);
    further?.addWithUnit(isPerServing ? 'perServing' : 'per100', ...stated);
  }
  return isPerServing ? { per100: {}, perServing: amounts } : { per, per100: amounts };
}

/** The name in the product's own language, or in any, of a product without a main name; empty if there is none. */
function localName(bytes: Buffer, start: number, end: number): string {
  const product: unknown = JSON.parse(bytes.toString('utf8', start, end));
  if (!isObject(product)) return '';
  const names = Object.keys(product).filter((key) => /^product_name_[a-z]{2}$/.test(key));
  const own = [`product_name_${toText(product['lang'] ?? product['lc'])}`, ...names.sort()];
  return own.map((key) => toText(product[key])).find(isName) ?? '';
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
  return writtenAmount(value)?.amount;
}
