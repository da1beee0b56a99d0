import type { Food } from '@larder/core/food.ts';
import type { LanguageBits } from '@larder/core/name-languages.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { FoodNames, NamedFood, NameMatch, QueryWord } from '../food-names.ts';

/** Names that also compare their language with that of a text. */
interface NamesOfLanguages extends FoodNames {
  find(words: readonly QueryWord[], limit: number, languages?: LanguageBits): readonly SearchHit[];
  matchOf(
    words: readonly QueryWord[],
    food: number | NamedFood,
    languages?: LanguageBits,
  ): NameMatch | undefined;
}

/** An index of names as a text of some languages reads it. */
export class NamesInLanguages implements FoodNames {
  readonly languages: LanguageBits;
  readonly #names: NamesOfLanguages;

  constructor(names: NamesOfLanguages, languages: LanguageBits) {
    this.#names = names;
    this.languages = languages;
  }

  inLanguages(languages: LanguageBits): FoodNames {
    return this.#names.inLanguages(languages);
  }

  find(words: readonly QueryWord[], limit: number): readonly SearchHit[] {
    return this.#names.find(words, limit, this.languages);
  }

  matchOf(words: readonly QueryWord[], food: number | NamedFood): NameMatch | undefined {
    return this.#names.matchOf(words, food, this.languages);
  }

  foodAt(document: number): Food {
    return this.#names.foodAt(document);
  }

  factsOf(document: number): number {
    return this.#names.factsOf(document);
  }

  likenessOf(stem: string): number {
    return this.#names.likenessOf(stem);
  }

  weightOf(stem: string): number {
    return this.#names.weightOf(stem);
  }

  namesWith(stem: string): number {
    return this.#names.namesWith(stem);
  }

  begins(stem: string, next: string): boolean {
    return this.#names.begins(stem, next);
  }

  beginsWithAll(stems: readonly string[]): boolean {
    return this.#names.beginsWithAll(stems);
  }

  isFoodWord(stem: string): boolean {
    return this.#names.isFoodWord(stem);
  }
}
