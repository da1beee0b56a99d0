import type { LanguageBits } from '@larder/core/name-languages.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { FoodNames, NamedFood, NameMatch, QueryWord } from '../food-names.ts';
import { DelegatingNames } from './delegating-names.ts';

/** Food names that can also compare their language with that of a text. */
interface NamesOfLanguages extends FoodNames {
  find(words: readonly QueryWord[], limit: number, languages?: LanguageBits): readonly SearchHit[];
  matchOf(
    words: readonly QueryWord[],
    food: number | NamedFood,
    languages?: LanguageBits,
  ): NameMatch | undefined;
}

/** An index of names, read for texts in some languages. */
export class NamesInLanguages extends DelegatingNames<NamesOfLanguages> {
  override find(words: readonly QueryWord[], limit: number): readonly SearchHit[] {
    return this.names.find(words, limit, this.languages);
  }

  override matchOf(words: readonly QueryWord[], food: number | NamedFood): NameMatch | undefined {
    return this.names.matchOf(words, food, this.languages);
  }
}
