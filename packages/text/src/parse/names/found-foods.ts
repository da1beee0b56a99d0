import type { FoodNames } from '../food-names.ts';
import { wordsOfName } from './name-words.ts';

/** Caches the words of foods that were found for one text. */
export class FoundFoods {
  readonly #names: FoodNames;
  readonly #stems = new Map<number, ReadonlySet<string>>();

  constructor(names: FoodNames) {
    this.#names = names;
  }

  /** Stems of all names of a food. */
  stemsOf(document: number): ReadonlySet<string> {
    let stems = this.#stems.get(document);
    if (stems === undefined) {
      const { name, aliases } = this.#names.foodAt(document);
      stems = new Set([name, ...aliases].flatMap((text) => wordsOfName(text).map(({ stem }) => stem)));
      this.#stems.set(document, stems);
    }
    return stems;
  }
}
