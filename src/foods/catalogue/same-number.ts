import { barcodeCandidates, formOf } from '@larder/core/codes/barcode-candidates.ts';
import type { Barcode } from '@larder/core/codes/scanned-code.ts';
import type { Food, KnownProduct } from '@larder/core/food.ts';
import { GTIN_DIGITS, type Gtin, toGtin } from '@larder/core/gtin.ts';
import type { BarcodeMatch, OtherProduct } from '@larder/text/parse/food-finder.ts';

type Product = Food | KnownProduct;

/** The foods of one owner, found by number. */
export interface NumberedFoods {
  /** All foods with this number, preferred first, at most `MAX_SAME_NUMBER`. */
  findAllByGtin(gtin: Gtin): readonly Product[];
  /** The food that was entered from another label of the same item of a shop's scale. */
  findByItem?(gtin: Gtin): Food | undefined;
}

/** Maximum products with one number that are compared. */
export const MAX_SAME_NUMBER = 16;
/** Maximum of them in a response. */
const MAX_OTHERS = 5;

/**
 * The food that a code means, otherwise the first known product. Candidates are tried in their order; among
 * foods with one number `choose` decides. `owners` are in order of preference.
 */
export function findAmong(owners: readonly NumberedFoods[], barcode: Barcode): BarcodeMatch | undefined {
  let known: BarcodeMatch | undefined;
  const given = toGtin(barcode);
  for (const gtin of barcodeCandidates(barcode)) {
    const match = choose(owners, gtin, gtin === given ? barcode : gtin);
    if (match !== undefined && 'food' in match) return match;
    known ??= match;
    const labelled = gtin === given ? findByItem(owners, gtin) : undefined;
    if (labelled !== undefined) return { food: labelled };
  }
  return known;
}

function findByItem(owners: readonly NumberedFoods[], gtin: Gtin): Food | undefined {
  for (const owner of owners) {
    const food = owner.findByItem?.(gtin);
    if (food !== undefined) return food;
  }
  return undefined;
}

/** Products written in the same form come first, then foods, then the owners in their order, then the same digits. */
function choose(owners: readonly NumberedFoods[], gtin: Gtin, digits: string): BarcodeMatch | undefined {
  const found: { readonly product: Product; readonly owner: NumberedFoods }[] = [];
  for (const owner of owners) for (const product of owner.findAllByGtin(gtin)) found.push({ product, owner });
  const [first] = found;
  if (first === undefined) return undefined;
  if (found.length === 1) return toMatch(first.product);
  // All other forms are padded to 14 digits.
  const form = digits.length === GTIN_DIGITS ? undefined : formOf(digits);
  const distance = ({ barcode = '' }: Product) => Number(form !== undefined && formOf(barcode) !== form);
  const isKnown = (product: Product) => Number(!('per100' in product));
  const best = found.toSorted(
    (a, b) =>
      distance(a.product) - distance(b.product) ||
      isKnown(a.product) - isKnown(b.product) ||
      owners.indexOf(a.owner) - owners.indexOf(b.owner) ||
      Number(b.product.barcode === digits) - Number(a.product.barcode === digits),
  )[0]!;
  const others = found.filter(
    ({ product }) => formOf(product.barcode ?? '') !== formOf(best.product.barcode ?? ''),
  );
  const match = toMatch(best.product);
  if (others.length === 0) return match;
  return { ...match, others: others.slice(0, MAX_OTHERS).map(({ product }) => toOther(product)) };
}

function toMatch(product: Product): BarcodeMatch {
  return 'per100' in product ? { food: product } : { known: product };
}

function toOther({ id, name, brand, barcode }: Product): OtherProduct {
  return { id, name, ...(brand !== undefined && { brand }), ...(barcode !== undefined && { barcode }) };
}
