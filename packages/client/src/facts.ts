import type { Food, FoodFacts, ListNutrientsData, NutrientDescription } from './generated/types.gen.ts';
import { List } from './http/list.ts';
import type { CallOptions, LarderOptions } from './http/options.ts';
import { path } from './http/path.ts';
import { Transport } from './http/transport.ts';

export type NutrientQuery = NonNullable<ListNutrientsData['query']>;

/** Reads the facts of foods. It is a client of its own, so that apps that show no facts do not load it. */
export class Facts {
  readonly #transport: Transport;

  constructor(options: LarderOptions) {
    this.#transport = new Transport(options);
  }

  /** Rejects with `facts_not_found` for a food without. */
  of(foodId: string, options?: CallOptions): Promise<FoodFacts> {
    return this.#transport.json('GET', path`/v1/foods/${foodId}/facts`, options);
  }

  /** As `of`, but undefined for a food without facts. */
  async ifAny(foodId: string, options?: CallOptions): Promise<FoodFacts | undefined> {
    const food = path`/v1/foods/${foodId}?include=facts`;
    return (await this.#transport.json<Food>('GET', food, options)).facts;
  }

  /** All nutrients, with reference values. */
  nutrients(query: NutrientQuery = {}, options?: CallOptions): List<NutrientDescription> {
    return new List(this.#transport, { path: '/v1/nutrients', options }, query);
  }
}
