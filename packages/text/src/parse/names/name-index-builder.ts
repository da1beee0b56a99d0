import type { LanguageBits } from '@larder/core/name-languages.ts';
import { buildDictionary } from '@larder/search/index/dictionary.ts';
import { runAll } from '@larder/search/index/steps.ts';
import { flagsOf, type NameSections, TERM_SHIFT } from './name-sections.ts';
import { nameWords } from './name-words.ts';
import { factsOf, readTraits } from './traits.ts';

interface NamedFood {
  readonly name: string;
  readonly brand?: string;
  readonly aliases: readonly string[];
  readonly nameLanguages?: readonly LanguageBits[];
  readonly id: string;
  /** In kcal per 100 g or ml. */
  readonly energy: number;
  readonly popularity: number;
}

/** Collects the names of generic foods and builds the sections of a `NameIndex`. */
export class NameIndexBuilder {
  readonly #numbers = new Map<string, number>();
  readonly #documents: number[] = [];
  readonly #facts: number[] = [];
  readonly #owners: number[] = [];
  readonly #starts: number[] = [0];
  readonly #terms: number[] = [];
  readonly #languages: LanguageBits[] = [];

  add(document: number, food: NamedFood): void {
    const { name, brand, aliases, nameLanguages = [] } = food;
    const number = this.#documents.length;
    this.#documents.push(document);
    this.#facts.push(factsOf(food));
    const whole = brand === undefined ? name : `${name}, ${brand}`;
    for (const [at, text] of [whole, ...aliases].entries())
      this.#addName(number, text, at === 0 ? 0 : 1, nameLanguages[at] ?? 0);
  }

  finish(): NameSections {
    const words = [...this.#numbers.keys()].sort((a, b) => (a < b ? -1 : 1));
    const dictionary = runAll(buildDictionary(words));
    // Terms were numbered by first occurrence; the dictionary numbers them by sort order.
    const termOf = new Uint32Array(words.length);
    for (const [term, word] of words.entries()) termOf[this.#numbers.get(word)!] = term;
    const flags = (1 << TERM_SHIFT) - 1;
    const nameTerms = Uint32Array.from(
      this.#terms,
      (value) => (termOf[value >>> TERM_SHIFT]! << TERM_SHIFT) | (value & flags),
    );
    return {
      ...dictionary,
      nameTerms,
      nameStarts: Uint32Array.from(this.#starts),
      nameOwners: Uint32Array.from(this.#owners),
      nameLanguages: Uint8Array.from(this.#languages),
      foodDocuments: Uint32Array.from(this.#documents),
      foodFacts: Uint32Array.from(this.#facts),
      ...toPostings(nameTerms, this.#starts, words.length),
    };
  }

  #addName(food: number, text: string, isAlias: 0 | 1, languages: LanguageBits): void {
    const words = nameWords(text);
    if (words.length === 0) return;
    const flags = flagsOf(words, readTraits(text).ranges);
    for (const [at, { stem }] of words.entries()) {
      this.#terms.push((this.#numberOf(stem) << TERM_SHIFT) | flags[at]!);
    }
    this.#starts.push(this.#terms.length);
    this.#owners.push((food << 1) | isAlias);
    this.#languages.push(languages);
  }

  #numberOf(stem: string): number {
    const known = this.#numbers.get(stem);
    if (known !== undefined) return known;
    this.#numbers.set(stem, this.#numbers.size);
    return this.#numbers.size - 1;
  }
}

/** For each term, the names that contain it, ascending and without repetitions. */
function toPostings(terms: Uint32Array, starts: readonly number[], termCount: number) {
  const lists: number[][] = Array.from({ length: termCount }, () => []);
  for (let name = 0; name + 1 < starts.length; name++) {
    for (let at = starts[name]!; at < starts[name + 1]!; at++) {
      const list = lists[terms[at]! >>> TERM_SHIFT]!;
      if (list.at(-1) !== name) list.push(name);
    }
  }
  const postingStarts = new Uint32Array(termCount + 1);
  for (const [term, list] of lists.entries()) postingStarts[term + 1] = postingStarts[term]! + list.length;
  return { postings: Uint32Array.from(lists.flat()), postingStarts };
}
