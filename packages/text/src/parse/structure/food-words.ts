import type { Amount } from '../../find-amounts.ts';
import type { Language } from '../../language.ts';
import type { MealWords } from '../../meal-words.ts';
import type { Token } from '../../tokens.ts';
import type { FoodNames } from '../food-names.ts';
import { stemOf } from '../names/name-words.ts';
import { isMeasured } from '../phrases/phrase.ts';

/** Maximum words of a name that are compared. */
const MAX_NAME_WORDS = 4;
/** Minimum likeness of a word to a word of a name; a misspelt word has less. */
export const KNOWN = 0.9;

interface WordsToRead {
  readonly tokens: readonly Token[];
  readonly language: Language;
  readonly words: MealWords;
  readonly names: FoodNames;
}

/** Determines, before the foods of a text are looked up, which of its words may name one. */
export class FoodWords {
  readonly #tokens: readonly Token[];
  readonly #language: Language;
  readonly #words: MealWords;
  readonly #names: FoodNames;
  readonly #amountStarts: ReadonlySet<number>;

  constructor({ tokens, language, words, names }: WordsToRead, amounts: readonly Amount[]) {
    this.#tokens = tokens;
    this.#language = language;
    this.#words = words;
    this.#names = names;
    this.#amountStarts = new Set(amounts.map(({ firstToken }) => firstToken));
  }

  /** Skips words that may precede an amount or a name: "and", "another", "the". */
  afterLeading(from: number): number {
    let at = from;
    while (at < this.#tokens.length) {
      const { kind, folded } = this.#tokens[at]!;
      const isSkipped =
        (kind === 'symbol' && !/^[([]$/.test(folded)) ||
        this.#words.listing.has(folded) ||
        this.#words.further.has(folded);
      const end = isSkipped ? at + 1 : this.#language.leading.at(this.#tokens, at)?.end;
      if (end === undefined || this.#beginsAmount(at, end)) return at;
      at = end;
    }
    return at;
  }

  #beginsAmount(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (this.#amountStarts.has(at)) return true;
    return false;
  }

  /** Whether a word joins an amount to the words before it: "or 3 rolls", "on a slice of", "weighing 200 g". */
  joinAmount({ firstToken }: Amount): boolean {
    const isJoint =
      this.#tokens[firstToken - 1]?.kind === 'word' &&
      this.#language.connectors.has(this.#tokens, firstToken - 1);
    return isJoint || this.#words.weighing.has(this.#tokens[firstToken]!.folded);
  }

  /** Whether a dish is named, whose contents an amount may count: "a sandwich with 2 slices of ham". */
  haveDish(from: number, to: number): boolean {
    const { dishes, filled, mixed } = this.#words;
    return this.#tokens
      .slice(from, to)
      .map(({ folded }) => stemOf(folded))
      .some((stem) => dishes.has(stem) || filled.has(stem) || mixed.has(stem));
  }

  /** Whether a food is named after an amount. An unknown word may be an unknown food: "and 100 g xqzvw". */
  nameFood(from: number, to: number, amount: Amount, separator: string): boolean {
    const start = this.#language.of.at(this.#tokens, from)?.end ?? from;
    const likeness = this.#likenessOf(start, to);
    if (likeness === 0) return isMeasured(amount) || (separator !== ',' && separator !== '');
    return (likeness ?? 0) >= KNOWN;
  }

  nameKnown(from: number, to: number): boolean {
    return (this.#likenessOf(from, to) ?? 0) >= KNOWN;
  }

  /** The likeness of the words to names of foods; undefined if they are a preparation, a remark or empty. */
  #likenessOf(from: number, to: number): number | undefined {
    let likeness: number | undefined;
    for (let at = from; at < Math.min(to, from + MAX_NAME_WORDS); at++) {
      if (/^[-‐'"]$/.test(this.#tokens[at]!.text)) continue;
      if (this.#language.names.has(this.#tokens, at)) return 1;
      if (this.#endsName(at, to)) return likeness;
      const { folded } = this.#tokens[at]!;
      // The name may follow: "2 boiled eggs, 30 g grated cheese".
      if (this.#language.preparations.has(this.#tokens, at)) continue;
      if (this.#words.fillers.has(folded)) {
        if (this.#language.of.has(this.#tokens, at + 1)) at++;
        continue;
      }
      if (!this.#language.descriptors.has(this.#tokens, at) && !this.#words.weak.has(folded)) {
        likeness = Math.max(likeness ?? 0, this.#names.likenessOf(stemOf(folded)));
      }
    }
    return likeness;
  }

  #endsName(at: number, to: number): boolean {
    const { connectors, afterNames, or, parts } = this.#language;
    if (this.#tokens[at]!.kind !== 'word') return true;
    if ([connectors, afterNames, or].some((words) => words.has(this.#tokens, at))) return true;
    return at + 1 >= to && parts.has(this.#tokens, at);
  }
}
