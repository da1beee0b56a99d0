import { type Gtin, toGtin } from '@larder/core/gtin.ts';
import type { RawFood } from '../import/normalise/raw-food.ts';
import { toRawFood } from '../import/off/food.ts';
import { OFF_PRODUCT_MEMBERS, OffProductReader } from '../import/off/product-reader.ts';
import { ExternalFailure, type ExternalSource } from './external-source.ts';
import { fetchJson } from './fetch-json.ts';

/**
 * One product of Open Food Facts by its code.
 * Source: https://openfoodfacts.github.io/openfoodfacts-server/api/ (version 2). The data are under the ODbL.
 */
export class OffProductApi implements ExternalSource {
  readonly name = 'off';
  readonly #base: string;
  readonly #products = new OffProductReader();

  constructor({ base }: { base: string }) {
    this.#base = base;
  }

  async find(gtin: Gtin, signal: AbortSignal): Promise<RawFood | undefined> {
    const address = new URL(`${this.#base.replace(/\/$/, '')}/api/v2/product/${toOffCode(gtin)}.json`);
    address.searchParams.set('fields', OFF_PRODUCT_MEMBERS.join(','));
    const answer = (await fetchJson(address, signal)) as OffResponse | null | undefined;
    if (answer === undefined || answer?.status === 0) return undefined;
    if (typeof answer?.product !== 'object' || answer.product === null) {
      throw new ExternalFailure('answered without a product');
    }
    const bytes = Buffer.from(JSON.stringify({ code: answer.code, ...answer.product }));
    const product = this.#products.read(bytes, 0, bytes.length);
    // Another product's nutrients in a diary are worse than none.
    return product !== undefined && isCodeOf(gtin, product.code) ? toRawFood(product) : undefined;
  }
}

interface OffResponse {
  /** 1 if the product was found, otherwise 0. */
  readonly status?: unknown;
  readonly code?: unknown;
  readonly product?: unknown;
}

function isCodeOf(gtin: Gtin, code: string): boolean {
  return /^\d{1,14}$/.test(code) && toGtin(code) === gtin;
}

/** Open Food Facts identifies products by 13 digits, 8 for an EAN-8, and 14 only if there are more. */
function toOffCode(gtin: Gtin): string {
  const digits = gtin.replace(/^0+/, '');
  return digits.padStart(digits.length <= 8 ? 8 : 13, '0');
}
