import type { FoodFacts } from '@larder/core/food-facts.ts';
import type { RawFood } from '../normalise/raw-food.ts';
import { SlotIndex, TextHeap } from './compact-columns.ts';
import { MAX_FDC_ALIASES } from './field-texts.ts';
import { furtherNutrients, NUTRIENT_COLUMN_COUNT, nutrientsFrom } from './nutrients.ts';
import { type FdcPortion, factPortion, MAX_PORTIONS, portionServings } from './portions.ts';

/** Data types that are imported; the table stores their position. Branded comes first. */
const FOOD_TYPES = ['branded_food', 'sr_legacy_food', 'survey_fndds_food', 'foundation_food'] as const;
export type FoodType = (typeof FOOD_TYPES)[number];
const BRANDED = 0;

const FIRST_CAPACITY = 1 << 12;

export function isFoodType(text: string): text is FoodType {
  return (FOOD_TYPES as readonly string[]).includes(text);
}

/**
 * Foods of a bundle while their parts are read from its tables: columns indexed by slot, about 250 bytes a food.
 * Portions and aliases, which only a few thousand generic foods have, are in maps.
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
  readonly #portions = new Map<number, FdcPortion[]>();
  readonly #aliases = new Map<number, string[]>();
  readonly #diaryEntries = new Map<number, number>();
  readonly #categories = new Map<number, string>();
  readonly #further = new FurtherAmounts();
  #brandedCount = 0;

  get size(): number {
    return this.#slots.size;
  }

  has(kind: 'branded' | 'generic'): boolean {
    return kind === 'branded' ? this.#brandedCount > 0 : this.#brandedCount < this.size;
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
    if (type === FOOD_TYPES[BRANDED]) this.#brandedCount++;
  }

  /** Call it when all foods are added, before the first amount. */
  openAmounts(): void {
    this.#further.open(this.size);
    this.#amounts = new Float64Array(this.size * NUTRIENT_COLUMN_COUNT).fill(Number.NaN);
  }

  setAmount(slot: number, column: number, amount: number): void {
    this.#amounts[slot * NUTRIENT_COLUMN_COUNT + column] = amount;
  }

  addFurther(slot: number, further: number, amount: number): void {
    this.#further.add(slot, further, amount);
  }

  setCategory(slot: number, category: string): void {
    this.#categories.set(slot, category);
  }

  name(slot: number): string {
    return this.#names.get(slot);
  }

  addPortion(slot: number, portion: FdcPortion): void {
    addTo(this.#portions, slot, portion, MAX_PORTIONS);
  }

  addAlias(slot: number, alias: string): void {
    addTo(this.#aliases, slot, alias, MAX_FDC_ALIASES);
  }

  setDiaryEntries(slot: number, entries: number): void {
    if (entries > 0) this.#diaryEntries.set(slot, entries);
  }

  toRawFood(slot: number): RawFood {
    const publishedAt = this.#times[slot]!;
    const from = slot * NUTRIENT_COLUMN_COUNT;
    const diaryEntries = this.#diaryEntries.get(slot);
    return {
      origin: 'fdc',
      key: String(this.#ids[slot]),
      name: this.#names.get(slot),
      per100: nutrientsFrom(this.#amounts.subarray(from, from + NUTRIENT_COLUMN_COUNT)),
      ...(publishedAt > 0 && { createdAt: publishedAt, updatedAt: publishedAt }),
      ...(this.#types[slot] !== BRANDED && {
        isGeneric: true,
        ...(diaryEntries !== undefined && { diaryEntries }),
        aliases: this.#aliases.get(slot) ?? [],
        servings: portionServings(this.#portions.get(slot) ?? []),
      }),
    };
  }

  /** Portions as the source states them, in its order. */
  factsOf(slot: number): FoodFacts {
    const publishedAt = this.#times[slot]!;
    const nutrients = furtherNutrients(this.#further.of(slot));
    const portions = (this.#portions.get(slot) ?? []).toSorted((a, b) => a.order - b.order).map(factPortion);
    const category = this.#categories.get(slot);
    return {
      dataType: DATA_TYPES[FOOD_TYPES[this.#types[slot]!]!],
      ...(nutrients && { nutrients }),
      ...(portions.length > 0 && { portions }),
      ...(category !== undefined && { category }),
      ...(publishedAt > 0 && { createdAt: publishedAt, updatedAt: publishedAt }),
    };
  }

  #grow(): void {
    const capacity = this.#ids.length * 2;
    const ids = new Int32Array(capacity);
    const types = new Uint8Array(capacity);
    const times = new Uint32Array(capacity);
    ids.set(this.#ids);
    types.set(this.#types);
    times.set(this.#times);
    this.#ids = ids;
    this.#types = types;
    this.#times = times;
  }
}

/** The names that FoodData Central's API gives the types. */
const DATA_TYPES: Readonly<Record<FoodType, string>> = {
  branded_food: 'Branded',
  sr_legacy_food: 'SR Legacy',
  survey_fndds_food: 'Survey (FNDDS)',
  foundation_food: 'Foundation',
};

const NO_AMOUNT = -1;

/** Amounts that few foods have: a chain for each food, 18 bytes an amount. */
class FurtherAmounts {
  #heads = new Int32Array(0);
  #next = new Int32Array(FIRST_CAPACITY);
  #numbers = new Uint8Array(FIRST_CAPACITY);
  #amounts = new Float64Array(FIRST_CAPACITY);
  #count = 0;

  open(slots: number): void {
    this.#heads = new Int32Array(slots).fill(NO_AMOUNT);
  }

  add(slot: number, further: number, amount: number): void {
    if (this.#count === this.#next.length) this.#grow();
    this.#next[this.#count] = this.#heads[slot]!;
    this.#numbers[this.#count] = further;
    this.#amounts[this.#count] = amount;
    this.#heads[slot] = this.#count++;
  }

  *of(slot: number): Generator<readonly [further: number, amount: number]> {
    for (let at = this.#heads[slot]!; at !== NO_AMOUNT; at = this.#next[at]!)
      yield [this.#numbers[at]!, this.#amounts[at]!];
  }

  #grow(): void {
    const capacity = this.#count * 2;
    const [next, numbers, amounts] = [this.#next, this.#numbers, this.#amounts];
    this.#next = new Int32Array(capacity);
    this.#numbers = new Uint8Array(capacity);
    this.#amounts = new Float64Array(capacity);
    this.#next.set(next);
    this.#numbers.set(numbers);
    this.#amounts.set(amounts);
  }
}

function addTo<T>(lists: Map<number, T[]>, slot: number, item: T, limit: number): void {
  const list = lists.get(slot);
  if (list === undefined) lists.set(slot, [item]);
  else if (list.length < limit) list.push(item);
}
