import type { RawFood, RawFoodSink, RawNutrients, RawServing } from '../normalise/raw-food.ts';
import { parseServingText } from '../normalise/serving-text.ts';
import { findMeasuredUnit } from '../normalise/units.ts';
import type { ReadOptions } from '../readers/source-file.ts';
import { type FurtherAmounts, noticeOf, type OffFactFields, offFacts } from './facts.ts';
import { type OffMarket, outsideOf, type SliceFilter } from './slice.ts';

export interface OffReadOptions extends ReadOptions {
  /** Products outside of it are counted and left out. */
  readonly filter?: SliceFilter | undefined;
}

/** The common fields of the three Open Food Facts formats. Empty texts mean unknown. */
export interface OffProduct {
  code: string;
  name: string;
  genericName: string;
  /** The name in other languages. */
  otherNames?: readonly string[];
  brands: string;
  /** Package size: "350 g". */
  quantity: string;
  servingText: string;
  servingQuantity: number | undefined;
  /** `g` or `ml`; empty if the format does not say. */
  servingUnit: string;
  /** The basis of `per100`, if stated: `100g` or `100ml`. */
  per?: string;
  per100: RawNutrients;
  perServing?: RawNutrients;
  /** Whether the label states a serving, from which `per100` was computed. */
  isPerServing?: boolean;
  scans: number | undefined;
  createdAt: number | undefined;
  updatedAt: number | undefined;
  /** Nutrients beside those of foods, and the fields of facts, if the import keeps them. */
  further?: FurtherAmounts;
  facts?: OffFactFields;
}

/** Whether a text names something: products without a name have "-". */
export function isName(text: string): boolean {
  return /[\p{L}\p{N}]/u.test(text);
}

/** Passes on a product that is in the slice. `market` is asked for only if there is one. */
export function takeProduct(
  product: OffProduct,
  sink: RawFoodSink,
  filter: SliceFilter | undefined,
  market: () => OffMarket,
): void {
  const outside = filter && outsideOf(filter, product.scans, market());
  if (outside === undefined) sink.food({ ...toRawFood(product), ...factsOf(product, sink) });
  else sink.skipped(outside, `${product.code} ${product.name}`.trim());
}

function factsOf(
  { code, name, facts, further, servingQuantity }: OffProduct,
  sink: RawFoodSink,
): Pick<RawFood, 'facts'> {
  if (facts === undefined) return {};
  const nutrients = further?.inHundred(servingQuantity, noticeOf(sink, `${code} ${name}`.trim()));
  return { facts: offFacts(code, facts, nutrients) };
}

export function toRawFood(product: OffProduct): RawFood {
  const { code, name, genericName, otherNames = [] } = product;
  const serving = toRawServing(product);
  const food: RawFood = {
    origin: 'off',
    key: code,
    barcode: code,
    name: name || genericName,
    per100: product.per100,
  };
  if (name !== '' && (genericName !== '' || otherNames.length > 0))
    food.aliases = [genericName, ...otherNames];
  if (product.brands !== '') food.brand = product.brands;
  if (serving !== undefined) food.servings = [serving];
  if (product.perServing !== undefined) food.perServing = product.perServing;
  if (product.isPerServing === true) food.isPerServing = true;
  if (isSoldByVolume(product)) food.basis = 'ml';
  if (product.scans !== undefined) food.scans = product.scans;
  if (product.createdAt !== undefined) food.createdAt = product.createdAt;
  if (product.updatedAt !== undefined) food.updatedAt = product.updatedAt;
  return food;
}

function toRawServing(product: OffProduct): RawServing | undefined {
  const { servingText, servingQuantity, servingUnit } = product;
  if (servingText === '' && servingQuantity === undefined) return undefined;
  const serving: RawServing = { isQuantityDerived: true };
  if (MILLIGRAMS.test(servingText)) {
    const { mass, volume } = parseServingText(product.quantity);
    const content = mass ?? volume;
    if (content !== undefined) serving.packageAmount = content.basisAmount;
  }
  if (servingText !== '') serving.text = servingText;
  if (servingQuantity !== undefined) serving.quantity = servingQuantity;
  if (servingUnit !== '') serving.unit = servingUnit;
  return serving;
}

const MILLIGRAMS = /\dmg|\d mg/i;

/** Most quantities are in g; checking for these letters avoids parsing them. */
const MAY_BE_VOLUME = /l|oz|cc|cm3|л|毫升/i;

/**
 * Labels state nutrients per 100 ml for products sold by volume, and the exports rarely say which. A serving
 * by weight means that the product is not sold by volume (ice cream).
 */
function isSoldByVolume({ per, quantity, servingText, servingUnit }: OffProduct): boolean {
  if (per === '100ml') return true;
  if (servingUnit !== '') return findMeasuredUnit(servingUnit)?.basis === 'ml';
  if (!MAY_BE_VOLUME.test(quantity)) return false;
  const { mass, volume } = parseServingText(quantity);
  return volume !== undefined && mass === undefined && parseServingText(servingText).mass === undefined;
}
