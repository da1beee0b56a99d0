import type {
  Food,
  FoodBatch,
  FoodInput,
  FoodPatch,
  GetFoodByBarcodeData,
  ImportFoodsData,
  ImportResult,
  ListFoodsData,
  ParsedText,
  ScannedFood,
  SearchFoodsData,
  TextInput,
} from './generated/types.gen.ts';
import { List } from './http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from './http/options.ts';
import { barcodePath, path, queryOf } from './http/path.ts';
import type { Image, Transport } from './http/transport.ts';

export type SearchQuery = NonNullable<SearchFoodsData['query']>;
export type BarcodeQuery = NonNullable<GetFoodByBarcodeData['query']>;
export type FoodImportQuery = NonNullable<ImportFoodsData['query']>;
export type FoodListQuery = NonNullable<ListFoodsData['query']>;

/** Foods of the catalogue, and custom foods. */
export class Foods {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Searches by text, best first. */
  search(query: SearchQuery, options?: CallOptions): List<Food> {
    return new List(this.#transport, { path: '/v1/foods/search', options }, query, { offset: 0 });
  }

  /** The food of a code as the scanner reads it: digits, a GS1 element string or a link; else `barcode_not_found`. */
  byBarcode(code: string, query: BarcodeQuery = {}, options?: CallOptions): Promise<ScannedFood> {
    return this.#transport.json('GET', barcodePath('/v1', code, query), options);
  }

  /**
   * Adds the new rows of a CSV table of custom foods. With `preview` it writes nothing and reports what it
   * would write.
   */
  import(file: Image, query: FoodImportQuery = {}, options?: CallOptions): Promise<ImportResult> {
    const call = { bytes: file, type: 'text/csv' };
    return this.#transport.json('POST', `/v1/foods/import${queryOf(query)}`, options, call);
  }

  /** Reads foods and amounts from a text, such as a meal or the lines of a recipe; writes nothing. */
  parse(input: TextInput, options?: CallOptions): Promise<ParsedText> {
    return this.#transport.json('POST', '/v1/foods/parse', options, { body: input });
  }

  get(id: string, options?: CallOptions): Promise<Food> {
    return this.#transport.json('GET', path`/v1/foods/${id}`, options);
  }

  /** Up to 100 foods by their ids, and the ids without a food. */
  batch(ids: readonly string[], options?: CallOptions): Promise<FoodBatch> {
    return this.#transport.json('GET', `/v1/foods/batch${queryOf({ ids: ids.join(',') })}`, options);
  }

  /** Custom foods in the order of creation. */
  list(query: FoodListQuery = {}, options?: CallOptions): List<Food> {
    return new List(this.#transport, { path: '/v1/foods', options }, query);
  }

  /** Adds a custom food. */
  add(input: FoodInput, options?: CreateOptions): Promise<Food> {
    return this.#transport.json('POST', '/v1/foods', options, { body: input });
  }

  /** Changes the given fields of a custom food. */
  change(id: string, patch: FoodPatch, options?: ChangeOptions): Promise<Food> {
    return this.#transport.json('PATCH', path`/v1/foods/${id}`, options, { body: patch });
  }

  /** Deletes a custom food. */
  remove(id: string, options?: ChangeOptions): Promise<void> {
    return this.#transport.json('DELETE', path`/v1/foods/${id}`, options);
  }
}
