import type { Food } from '@larder/core/food.ts';
import type { LanguageBits } from '@larder/core/name-languages.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { FoodNames, NamedFood, NameMatch, QueryWord } from '../food-names.ts';

/** Delegates everything to other names; base class of classes that change a part of it. */
export class DelegatingNames<Names extends FoodNames = FoodNames> implements FoodNames {
  readonly languages: LanguageBits;
  protected readonly names: Names;

  constructor(names: Names, languages: LanguageBits = names.languages) {
    this.names = names;
    this.languages = languages;
  }

  inLanguages(languages: LanguageBits): FoodNames {
    return this.names.inLanguages(languages);
  }

  find(words: readonly QueryWord[], limit: number): readonly SearchHit[] {
    return this.names.find(words, limit);
  }

  matchOf(words: readonly QueryWord[], food: number | NamedFood): NameMatch | undefined {
    return this.names.matchOf(words, food);
  }

  foodAt(document: number): Food {
    return this.names.foodAt(document);
  }

  factsOf(document: number): number {
    return this.names.factsOf(document);
  }

  likenessOf(stem: string): number {
    return this.names.likenessOf(stem);
  }

  weightOf(stem: string): number {
    return this.names.weightOf(stem);
  }

  namesWith(stem: string): number {
    return this.names.namesWith(stem);
  }

  begins(stem: string, next: string): boolean {
    return this.names.begins(stem, next);
  }

  beginsWithAll(stems: readonly string[]): boolean {
    return this.names.beginsWithAll(stems);
  }

  isFoodWord(stem: string): boolean {
    return this.names.isFoodWord(stem);
  }
}
