import type { Food } from '@larder/core/food.ts';
import { FOOD_LANGUAGES, type FoodLanguage, type LocalNames } from '@larder/core/food-languages.ts';
import { languageBit } from '@larder/core/name-languages.ts';
import { SearchIndexBuilder } from '@larder/search/index/index-builder.ts';
import type { SectionArray } from '@larder/search/index/sections.ts';
import { runAll } from '@larder/search/index/steps.ts';

/** What is collected for one language. */
class OneLanguage {
  readonly search = new SearchIndexBuilder();
  readonly documents: number[] = [];
  readonly shown: string[] = [];
}

/** Collects the names of generic foods by language and builds the sections of `LocalNames`. */
export class LocalNamesBuilder {
  readonly #languages = new Map<FoodLanguage, OneLanguage>();

  add(document: number, food: Food, localNames: LocalNames): void {
    for (const code of FOOD_LANGUAGES) {
      const [name, ...aliases] = namesIn(code, food, localNames);
      if (name === undefined) continue;
      const { brand, popularity } = food;
      const language = this.#languages.get(code) ?? new OneLanguage();
      this.#languages.set(code, language);
      language.search.add({ name, aliases, popularity, ...(brand !== undefined && { brand }) });
      language.documents.push(document);
      language.shown.push(name);
    }
  }

  /** The sections by name, `de.documents` for example. */
  *finish(): Generator<readonly [name: string, values: SectionArray]> {
    for (const [code, { search, documents, shown }] of this.#languages) {
      yield [`${code}.documents`, Uint32Array.from(documents)];
      const texts = shown.map((name) => Buffer.from(name));
      const starts = new Uint32Array(shown.length + 1);
      for (const [at, text] of texts.entries()) starts[at + 1] = starts[at]! + text.length;
      yield [`${code}.nameStarts`, starts];
      yield [`${code}.names`, new Uint8Array(Buffer.concat(texts))];
      for (const [name, values] of Object.entries(runAll(search.finishSmall()))) {
        yield [`${code}.search.${name}`, values];
      }
    }
  }
}

/** The food's names in a language, the usual one first. */
function namesIn(code: FoodLanguage, food: Food, localNames: LocalNames): string[] {
  const { name, aliases, nameLanguages = [] } = food;
  const bit = languageBit(code);
  const stated = [name, ...aliases].filter((_, at) => (nameLanguages[at]! & bit) !== 0);
  return [...new Set([...(localNames[code] ?? []), ...stated])];
}
