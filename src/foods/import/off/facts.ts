import { ENVIRONMENTAL_SCORES, FACT_IMAGES, type FoodFacts, NUTRI_SCORES } from '@larder/core/food-facts.ts';
import { FURTHER_NUTRIENTS, type FurtherNutrient } from '@larder/core/nutrients.ts';
import { cleanText, cutText } from '../normalise/clean-text.ts';
import type { RawFoodSink } from '../normalise/raw-food.ts';
import { gramsIn, perExportedUnit } from './nutrients.ts';

/** The fields of facts, as one format of Open Food Facts has them. Empty texts and lists mean unknown. */
export interface OffFactFields {
  text(name: OffFactText): string;
  tags(name: OffFactTags): readonly string[];
  number(name: OffFactNumber): number | undefined;
  /** By language. */
  texts(name: OffLocalText): Readonly<Record<string, string>>;
  /** Keys such as `front_de` with the revision of the photo, or whole addresses. */
  images(): Iterable<readonly [key: string, photo: string | number]>;
}

export const OFF_FACT_TEXTS = [
  'lang',
  'quantity',
  'link',
  'nutriscore_grade',
  'nutrition_grades',
  'environmental_score_grade',
  'ecoscore_grade',
] as const;
type OffFactText = (typeof OFF_FACT_TEXTS)[number];

export const OFF_FACT_TAGS = [
  'allergens_tags',
  'traces_tags',
  'additives_tags',
  'labels_tags',
  'categories_tags',
  'countries_tags',
  'packaging_tags',
  'packaging_shapes_tags',
  'packaging_materials_tags',
  'packaging_recycling_tags',
  'ingredients_analysis_tags',
  'data_quality_errors_tags',
  'data_quality_warnings_tags',
] as const;
type OffFactTags = (typeof OFF_FACT_TAGS)[number];

export const OFF_FACT_NUMBERS = ['nova_group', 'created_t', 'last_modified_t'] as const;
type OffFactNumber = (typeof OFF_FACT_NUMBERS)[number];

export const OFF_LOCAL_TEXTS = ['generic_name', 'ingredients_text'] as const;
export type OffLocalText = (typeof OFF_LOCAL_TEXTS)[number];

/** The language of a text whose language is not stated. */
export const NO_LANGUAGE = 'und';

/** A longer text is cut: no label has one. */
const MAX_TEXT_LENGTH = 8_000;
const MAX_TAGS = 300;

/** The facts of a product. */
export function offFacts(code: string, fields: OffFactFields, nutrients: FoodFacts['nutrients']): FoodFacts {
  const tags = (...names: OffFactTags[]) => listOf(names.flatMap((name) => fields.tags(name)));
  const analysis = new Set(fields.tags('ingredients_analysis_tags'));
  const labels = tags('labels_tags');
  const answer = (yes: string, no: string, maybe: string) =>
    analysis.has(yes) ? 'yes' : analysis.has(no) ? 'no' : analysis.has(maybe) ? 'maybe' : undefined;
  const diet = (name: string) => {
    const read = answer(`en:${name}`, `en:non-${name}`, `en:maybe-${name}`);
    if (!labels?.includes(`en:${name}`)) return read;
    return read === 'no' ? 'maybe' : 'yes';
  };
  const vegan = diet('vegan');
  const grade = fields.text('nutriscore_grade') || fields.text('nutrition_grades');
  const environment = fields.text('environmental_score_grade') || fields.text('ecoscore_grade');
  const nova = fields.number('nova_group');
  return known({
    nutrients,
    genericNames: textsOf(fields.texts('generic_name')),
    // Underscores mark the allergens.
    ingredients: textsOf(fields.texts('ingredients_text'), (text) => text.replaceAll('_', '')),
    allergens: tags('allergens_tags'),
    traces: tags('traces_tags'),
    additives: tags('additives_tags'),
    labels,
    categories: tags('categories_tags'),
    countries: tags('countries_tags'),
    packaging: tags(
      'packaging_tags',
      'packaging_shapes_tags',
      'packaging_materials_tags',
      'packaging_recycling_tags',
    ),
    vegan,
    vegetarian: vegan === 'yes' ? 'yes' : diet('vegetarian'),
    palmOil: answer('en:palm-oil', 'en:palm-oil-free', 'en:may-contain-palm-oil'),
    nutriScore: NUTRI_SCORES.find((each) => each === grade),
    nova: nova !== undefined && [1, 2, 3, 4].includes(nova) ? nova : undefined,
    environmentalScore: ENVIRONMENTAL_SCORES.find((each) => each === environment),
    quantity: textOf(fields.text('quantity')),
    images: imagesOf(code, fields),
    qualityNotes: tags('data_quality_errors_tags', 'data_quality_warnings_tags'),
    link: /^https?:\/\//.test(fields.text('link')) ? cutText(fields.text('link'), 2_000) : undefined,
    createdAt: wholeSeconds(fields.number('created_t')),
    updatedAt: wholeSeconds(fields.number('last_modified_t')),
  });
}

/** Without the parts that are unknown. */
function known(facts: { readonly [Key in keyof FoodFacts]: FoodFacts[Key] | undefined }): FoodFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

function listOf(tags: readonly string[]): readonly string[] | undefined {
  const list = [...new Set(tags.map((tag) => cleanText(tag).toLowerCase()))].filter((tag) => tag !== '');
  return list.length === 0 ? undefined : list.slice(0, MAX_TAGS);
}

function textOf(text: string): string | undefined {
  const clean = cutText(cleanText(text), MAX_TEXT_LENGTH);
  return clean === '' ? undefined : clean;
}

function textsOf(
  texts: Readonly<Record<string, string>>,
  clean: (text: string) => string = (text) => text,
): Readonly<Record<string, string>> | undefined {
  const stated = Object.entries(texts).flatMap(([language, text]) => {
    const cleaned = textOf(clean(text));
    return cleaned === undefined ? [] : [[language, cleaned] as const];
  });
  return stated.length === 0 ? undefined : Object.fromEntries(stated);
}

function wholeSeconds(seconds: number | undefined): number | undefined {
  return seconds !== undefined && seconds > 0 ? Math.floor(seconds) : undefined;
}

const PHOTOS = 'https://images.openfoodfacts.org/images/products/';
const CODE_LENGTH = 13;

/** Of each kind the photo in the language of the product, or else the first. */
function imagesOf(code: string, fields: OffFactFields): FoodFacts['images'] {
  const language = fields.text('lang');
  const images: Partial<Record<(typeof FACT_IMAGES)[number], string>> = {};
  for (const [key, photo] of fields.images()) {
    const kind = FACT_IMAGES.find((each) => key === each || key.startsWith(`${each}_`));
    if (kind === undefined) continue;
    if (images[kind] !== undefined && key !== `${kind}_${language}`) continue;
    images[kind] =
      typeof photo === 'string' && photo.startsWith('https://')
        ? photo
        : `${PHOTOS}${folderOf(code)}/${key}.${photo}.400.jpg`;
  }
  return Object.keys(images).length === 0 ? undefined : images;
}

/** `3017620422003` → `301/762/042/2003`. */
function folderOf(code: string): string {
  return code.padStart(CODE_LENGTH, '0').replace(/^(...)(...)(...)(.*)$/, '$1/$2/$3/$4');
}

const FURTHER = new Map(
  FURTHER_NUTRIENTS.flatMap((nutrient) =>
    (nutrient.off ?? []).map((name) => [
      name,
      { key: nutrient.key, factor: nutrient.offFactor ?? perExportedUnit(nutrient.unit) },
    ]),
  ),
);
/** Nutrients of foods, and scores that Open Food Facts computes and lists among nutrients. */
const NO_FURTHER = /^(energy|nova-group|nutrition-score|nutriscore|fruits-vegetables|carbon-footprint)/;
const SIGNIFICANT_DIGITS = 6;

/** Collects nutrients beside those of foods, in the units of the registry. */
export class FurtherAmounts {
  readonly #per100: Record<string, number> = {};
  readonly #perServing: Record<string, number> = {};
  readonly #others = new Set<string>();
  readonly #isOfFood: (name: string) => boolean;

  /** `isOfFood`: whether foods themselves have a nutrient of this name. */
  constructor(isOfFood: (name: string) => boolean) {
    this.#isOfFood = isOfFood;
  }

  /** An amount in the export's unit: masses in g. */
  add(of: 'per100' | 'perServing', name: string, amount: number | undefined): void {
    if (amount === undefined || !Number.isFinite(amount) || amount < 0) return;
    const further = FURTHER.get(name);
    const into = of === 'per100' ? this.#per100 : this.#perServing;
    if (further !== undefined) into[further.key] ??= amount * further.factor;
    else if (!this.#isOfFood(name) && !NO_FURTHER.test(name)) this.#others.add(name);
  }

  addWithUnit(of: 'per100' | 'perServing', name: string, amount: number | undefined, unit: string): void {
    const grams = gramsIn(unit);
    if (name === 'alcohol' || grams === undefined)
      this.add(of, name, name === 'alcohol' ? amount : undefined);
    else this.add(of, name, amount === undefined ? undefined : amount * grams);
  }

  /** In 100 g or ml. Names without a place in the registry, and impossible amounts, are noticed. */
  inHundred(
    servingAmount: number | undefined,
    notice: (reason: string, name: string) => void,
  ): FoodFacts['nutrients'] {
    for (const name of this.#others) notice('a nutrient that is not kept', name);
    const scaled =
      servingAmount !== undefined && servingAmount > 0
        ? Object.entries(this.#perServing).map(
            ([key, amount]) => [key, (amount * 100) / servingAmount] as const,
          )
        : [];
    const nutrients: Record<string, number> = {};
    for (const [key, amount] of [...Object.entries(this.#per100), ...scaled]) {
      if (nutrients[key] !== undefined) continue;
      if (amount > 100 * perExportedUnit(unitOf(key)))
        notice('an impossible amount of a nutrient left out', key);
      else nutrients[key] = Number(amount.toPrecision(SIGNIFICANT_DIGITS));
    }
    if (scaled.length === 0) {
      for (const key of Object.keys(this.#perServing))
        if (nutrients[key] === undefined) notice('a nutrient of a serving of unknown weight left out', key);
    }
    return Object.keys(nutrients).length === 0 ? undefined : nutrients;
  }
}

const UNITS = new Map<string, FurtherNutrient['unit']>(FURTHER_NUTRIENTS.map(({ key, unit }) => [key, unit]));

function unitOf(key: string) {
  return UNITS.get(key)!;
}

/** Notices for one product. */
export function noticeOf(sink: RawFoodSink, product: string): (reason: string, name: string) => void {
  return (reason, name) => sink.noticed(reason, `${name} of ${product}`);
}
