import { type Gtin, toGtin } from '@larder/core/gtin.ts';
import { jsonFood } from '../import/fdc/food.ts';
import type { RawFood } from '../import/normalise/raw-food.ts';
import { ExternalFailure, type ExternalSource } from './external-source.ts';
import { fetchJson } from './fetch-json.ts';

const MAX_FOODS = 25;

/**
 * Branded foods of USDA FoodData Central by their GTIN, through its search, which has no look-up by number.
 * Source: https://fdc.nal.usda.gov/api-guide. The data are in the public domain.
 */
export class FdcFoodSearch implements ExternalSource {
  readonly name = 'fdc';
  readonly #base: string;
  readonly #apiKey: string;

  constructor({ base, apiKey }: { base: string; apiKey: string }) {
    this.#base = base;
    this.#apiKey = apiKey;
  }

  async find(gtin: Gtin, signal: AbortSignal): Promise<RawFood | undefined> {
    const address = new URL(`${this.#base.replace(/\/$/, '')}/v1/foods/search`);
    address.searchParams.set('query', spellings(gtin).join(' '));
    address.searchParams.set('dataType', 'Branded');
    address.searchParams.set('pageSize', String(MAX_FOODS));
    address.searchParams.set('api_key', this.#apiKey);
    const answer = await fetchJson(address, signal);
    if (answer === undefined) throw new ExternalFailure('answered 404');
    const foods = (answer as { foods?: unknown } | null)?.foods;
    if (!Array.isArray(foods)) throw new ExternalFailure('answered without a list of foods');
    return newestOf(foods.slice(0, MAX_FOODS).flatMap((food) => matching(food, gtin)));
  }
}

/** Companies write the same number with and without leading zeros. */
function spellings(gtin: Gtin): string[] {
  const digits = gtin.replace(/^0+/, '');
  return [...new Set([gtin, digits.padStart(13, '0'), digits.padStart(12, '0'), digits])];
}

function matching(food: unknown, gtin: Gtin): RawFood[] {
  const read = jsonFood(food, 'foods');
  if (read.kind !== 'food' || !/^\d{1,14}$/.test(read.food.barcode ?? '')) return [];
  return toGtin(read.food.barcode!) === gtin ? [read.food] : [];
}

/** A product gets a new entry whenever its label changes. */
function newestOf(foods: readonly RawFood[]): RawFood | undefined {
  return foods.toSorted((a, b) => (b.updatedAt ?? 0) - (a.updatedAt ?? 0))[0];
}
