import type {
  Food,
  FoodBatch,
  FoodInput,
  FoodPatch,
  GetFoodByBarcodeV1Data,
  ListFoodsV1Data,
  ParsedText,
  ScannedFood,
  SearchFoodsV1Data,
  TextInput,
} from './generated/types.gen.ts';
import { List } from './http/list.ts';
import type { CallOptions, ChangeOptions, CreateOptions } from './http/options.ts';
import { barcodePath, path, queryOf } from './http/path.ts';
import type { Transport } from './http/transport.ts';
import { readVersioned } from './http/version.ts';

export type SearchQuery = NonNullable<SearchFoodsV1Data['query']>;
export type BarcodeQuery = NonNullable<GetFoodByBarcodeV1Data['query']>;
export type FoodListQuery = NonNullable<ListFoodsV1Data['query']>;

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
    return this.#transport.json({ path: barcodePath('/v1', code, query), options });
  }

  /** Reads what was eaten, or the lines of a recipe, and writes nothing. */
  parse(input: TextInput, options?: CallOptions): Promise<ParsedText> {
    return this.#transport.json({ method: 'POST', path: '/v1/foods/parse', body: input, options });
  }

  get(id: string, options?: CallOptions): Promise<Food> {
    return this.#transport.send({ path: path`/v1/foods/${id}`, options }, readVersioned<Food>);
  }

  /** Up to 100 foods by their ids, and which ids no food has. */
  batch(ids: readonly string[], options?: CallOptions): Promise<FoodBatch> {
    return this.#transport.json({ path: `/v1/foods/batch${queryOf({ ids: ids.join(',') })}`, options });
  }

  /** Custom foods in the order of creation. */
  list(query: FoodListQuery = {}, options?: CallOptions): List<Food> {
    return new List(this.#transport, { path: '/v1/foods', options }, query);
  }

  /** Adds a custom food. */
  add(input: FoodInput, options?: CreateOptions): Promise<Food> {
    const call = { method: 'POST', path: '/v1/foods', body: input, options } as const;
    return this.#transport.send(call, readVersioned<Food>);
  }

  /** Changes the given fields of a custom food. */
  change(id: string, patch: FoodPatch, options?: ChangeOptions): Promise<Food> {
    const call = { method: 'PATCH', path: path`/v1/foods/${id}`, body: patch, options } as const;
    return this.#transport.send(call, readVersioned<Food>);
  }

  /** Deletes a custom food. */
  remove(id: string, options?: ChangeOptions): Promise<void> {
    return this.#transport.json({ method: 'DELETE', path: path`/v1/foods/${id}`, options });
  }
}
