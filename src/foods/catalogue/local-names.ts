import type { FoodLanguage } from '@larder/core/food-languages.ts';
import { FOOD_LANGUAGES } from '@larder/core/food-languages.ts';
import type { SearchSections, SectionArray } from '@larder/search/index/sections.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import { mergeRanked } from '@larder/search/merge-ranked.ts';
import { OTHER_LANGUAGE_COST, OWN_LANGUAGE, SAME_NAME } from '@larder/search/query/ranking-weights.ts';
import { type IndexOptions, SearchIndex, type WordHits } from '@larder/search/search-index.ts';

/** Letters of scripts without spaces. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u;
/** A food named by the last word of a text alone is farther from it than one with all words. */
const HEAD_COST = 60;

/** Minimum characters of a text that is looked up in languages nobody asked for, if it may be the beginning of a word. */
const MIN_OTHER_LENGTH = 4;

/** The names of generic foods in one language. Numbers within it are positions in `documents`. */
class OneLanguage {
  readonly #code: FoodLanguage;
  readonly #sections: SearchSections;
  readonly #documents: Uint32Array;
  #index: SearchIndex | undefined;

  constructor(code: FoodLanguage, sections: SearchSections) {
    this.#code = code;
    this.#sections = sections;
    this.#documents = sections['documents'] as Uint32Array;
  }

  /** Opened at the first use, since most threads are asked for few languages. */
  get index(): SearchIndex {
    this.#index ??= SearchIndex.open(
      Object.fromEntries(
        Object.entries(this.#sections).flatMap(([name, values]) =>
          name.startsWith('search.') ? [[name.slice('search.'.length), values]] : [],
        ),
      ),
    );
    return this.#index;
  }

  find(query: string, limit: number, bonus: number, accepts?: (document: number) => boolean): WordHits {
    const options: IndexOptions = accepts ? { accepts: (at) => accepts(this.#documents[at]!) } : {};
    const { hits, complete } = UNSPACED.test(query)
      ? this.#findUnspaced(query, limit, options)
      : this.index.find(query, limit, options);
    return {
      hits: hits.map(({ document, score }) => ({
        document: this.#documents[document]!,
        score: score + bonus,
      })),
      complete,
    };
  }

  /**
   * The index holds each letter of such scripts by itself, and foods that share some letters only have nothing in common. So
   * foods have all letters, or those of the last word, which names the kind of food: pork dumplings are dumplings.
   */
  #findUnspaced(query: string, limit: number, options: IndexOptions): WordHits {
    const strict = (text: string): WordHits => {
      const { hits, complete } = this.index.find(text, limit, options);
      return { hits: hits.slice(0, complete), complete };
    };
    const whole = strict(query);
    if (whole.hits.length > 0) return whole;
    const words = [...new Intl.Segmenter(this.#code, { granularity: 'word' }).segment(query)].filter(
      ({ isWordLike }) => isWordLike,
    );
    const head = words.at(-1)?.segment ?? '';
    if (words.length < 2 || head.length < 2) return whole;
    const { hits } = strict(head);
    return { hits: hits.map((hit) => ({ ...hit, score: hit.score - HEAD_COST })), complete: 0 };
  }

  nameOf(document: number): string | undefined {
    const at = positionOf(this.#documents, document);
    if (at === undefined) return undefined;
    const starts = this.#sections['nameStarts'] as Uint32Array;
    const names = this.#sections['names']!;
    // A decoder takes no shared memory, so the bytes are copied.
    return Buffer.from(names.subarray(starts[at], starts[at + 1])).toString();
  }
}

/** Names of generic foods by language, beside those in the search index: what people call them, and what is shown. */
export class LocalNames {
  readonly #languages: ReadonlyMap<FoodLanguage, OneLanguage>;

  /** Reads the sections that `LocalNamesBuilder` made. */
  constructor(sections: Readonly<Record<string, SectionArray>>) {
    const languages = new Map<FoodLanguage, OneLanguage>();
    for (const code of FOOD_LANGUAGES) {
      const own = Object.entries(sections).flatMap(([name, values]) =>
        name.startsWith(`${code}.`) ? [[name.slice(code.length + 1), values] as const] : [],
      );
      if (own.length > 0) languages.set(code, new OneLanguage(code, Object.fromEntries(own)));
    }
    this.#languages = languages;
  }

  /**
   * Adds the foods with these words in the asked languages, which go first. Words that no food has by name are looked
   * up in all other languages that know every one of them.
   */
  withLocal(
    found: WordHits,
    query: string,
    {
      limit,
      languages,
      isKnown,
      accepts,
    }: {
      readonly limit: number;
      readonly languages: readonly FoodLanguage[];
      /** Whether the search index knows all words, the last maybe unfinished. */
      readonly isKnown: (isUnfinished: boolean) => boolean;
      /** Whether a document may be found. */
      readonly accepts?: ((document: number) => boolean) | undefined;
    },
  ): WordHits {
    if (this.#languages.size === 0) return found;
    const lists: WordHits[] = [found];
    for (const code of languages) {
      const own = this.#languages.get(code)?.find(query, limit, OWN_LANGUAGE, accepts);
      if (own !== undefined) lists.push(own);
    }
    const best = Math.max(...lists.map(({ hits }) => hits[0]?.score ?? Number.NEGATIVE_INFINITY));
    if (best < SAME_NAME && !isKnown(query.trim().length < MIN_OTHER_LENGTH)) {
      for (const [code, language] of this.#languages) {
        if (languages.includes(code) || !language.index.knows(query)) continue;
        lists.push(language.find(query, limit, -OTHER_LANGUAGE_COST, accepts));
      }
    }
    return lists.length === 1 ? found : joined(lists, limit);
  }

  /** The name of the food with this document number that is shown in a language. */
  nameOf(document: number, language: FoodLanguage): string | undefined {
    return this.#languages.get(language)?.nameOf(document);
  }
}

/** Merges lists of one query; a food that several have stands where its best score is. */
function joined(lists: readonly WordHits[], limit: number): WordHits {
  const seen = new Set<number>();
  const merged = mergeRanked(
    lists.map(({ hits }) => hits),
    Number.POSITIVE_INFINITY,
  ).filter(({ document }: SearchHit) => !seen.has(document) && seen.add(document));
  return { hits: merged.slice(0, limit), complete: Math.max(...lists.map(({ complete }) => complete)) };
}

function positionOf(sorted: Uint32Array, value: number): number | undefined {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === value ? low : undefined;
}
