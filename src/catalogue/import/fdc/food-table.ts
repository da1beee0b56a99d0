import type { RawNutrients } from '../raw-food.ts';
import { NUTRIENT_COLUMN_COUNT, nutrientsFrom } from './nutrient-columns.ts';
import { SlotIndex } from './slot-index.ts';
import { TextHeap } from './text-heap.ts';

/** The data types that are foods to serve; their position is what the table holds. */
export const FOOD_TYPES = ['branded_food', 'sr_legacy_food', 'survey_fndds_food', 'foundation_food'] as const;
export type FoodType = (typeof FOOD_TYPES)[number];

const FIRST_CAPACITY = 1 << 12;

/**
 * The foods of a bundle while their parts are gathered from its files: columns indexed by slot, about 300 bytes a
 * food.
 */
export class FoodTable {
  readonly #slots = new SlotIndex();
  readonly #names = new TextHeap();
  #ids = new Int32Array(FIRST_CAPACITY);
  #types = new Uint8Array(FIRST_CAPACITY);
  /** Unix seconds; 0 where unknown. */
  #times = new Uint32Array(FIRST_CAPACITY);
  /** `NUTRIENT_COLUMN_COUNT` numbers a food; NaN is unknown. */
  #amounts = new Float64Array(0);

  get size(): number {
    return this.#slots.size;
  }

  find(fdcId: number): number | undefined {
    return this.#slots.find(fdcId);
  }

  add(fdcId: number, type: FoodType, name: string, publishedAt: number | undefined): void {
    const slot = this.#slots.add(fdcId);
    if (slot === this.#ids.length) this.#grow();
    this.#ids[slot] = fdcId;
    this.#types[slot] = FOOD_TYPES.indexOf(type);
    this.#times[slot] = publishedAt ?? 0;
    this.#names.add(name);
  }

  /** To be called when all foods are in, before the first amount. */
  openAmounts(): void {
    this.#amounts = new Float64Array(this.size * NUTRIENT_COLUMN_COUNT).fill(Number.NaN);
  }

  setAmount(slot: number, column: number, amount: number): void {
    this.#amounts[slot * NUTRIENT_COLUMN_COUNT + column] = amount;
  }

  fdcId(slot: number): number {
    return this.#ids[slot]!;
  }

  type(slot: number): FoodType {
    return FOOD_TYPES[this.#types[slot]!]!;
  }

  name(slot: number): string {
    return this.#names.get(slot);
  }

  publishedAt(slot: number): number | undefined {
    return this.#times[slot] || undefined;
  }

  nutrients(slot: number): RawNutrients {
    const from = slot * NUTRIENT_COLUMN_COUNT;
    return nutrientsFrom(this.#amounts.subarray(from, from + NUTRIENT_COLUMN_COUNT));
  }

  #grow(): void {
    const capacity = this.#ids.length * 2;
    const grown = {
      ids: new Int32Array(capacity),
      types: new Uint8Array(capacity),
      times: new Uint32Array(capacity),
    };
    grown.ids.set(this.#ids);
    grown.types.set(this.#types);
    grown.times.set(this.#times);
    this.#ids = grown.ids;
    this.#types = grown.types;
    this.#times = grown.times;
  }
}
