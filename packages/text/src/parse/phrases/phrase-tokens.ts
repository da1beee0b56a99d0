import type { Amount } from '../../find-amounts.ts';
import type { Language } from '../../language.ts';
import type { MealWords } from '../../meal-words.ts';
import type { Token } from '../../tokens.ts';
import { type Unit, unitOfWord } from '../../units.ts';
import type { TextOfMeal } from '../meal-item.ts';
import { isNaming, type OpenPhrase } from './phrase.ts';
import { WEAK_WEIGHT } from './word-weights.ts';

/** Maximum words between an amount and "of": "a 372 g bottle of". */
const MAX_MEASURE_WORDS = 5;

const MAX_AFTER_PRONOUN = 3;
/** Characters that do not separate foods: "quails’ eggs", "2% milk". */
const IN_NAMES: ReadonlySet<string> = new Set('-‐%\'"’‘‛`´“”„');
/** Maximum tokens of a remark in the middle of a name. */
const MAX_REMARK_TOKENS = 6;

/** Classifies single tokens of a text: links between phrases, words of measures. */
export class PhraseTokens {
  readonly #tokens: readonly Token[];
  readonly #words: MealWords;
  readonly #language: Language;
  readonly #amountStarts: ReadonlySet<number>;

  constructor({ tokens, words, language }: TextOfMeal, amounts: readonly Amount[]) {
    this.#tokens = tokens;
    this.#words = words;
    this.#language = language;
    this.#amountStarts = new Set(amounts.map(({ firstToken }) => firstToken));
  }

  beginsAmount(at: number): boolean {
    return this.#amountStarts.has(at);
  }

  endsSentence(at: number): boolean {
    const { kind, text } = this.#tokens[at]!;
    // The phrase continues in "Chips Ahoy! cookies".
    if (text === '!') return !/^\p{Ll}/u.test(this.#tokens[at + 1]?.text ?? '');
    return kind === 'break' || /^[.;?]$/.test(text);
  }

  /** Whether another food follows after a pronoun: "washed it all down with". */
  followsPronoun(at: number): boolean {
    return this.#tokens
      .slice(Math.max(0, at - MAX_AFTER_PRONOUN), at)
      .some(({ folded }) => this.#words.pronouns.has(folded));
  }

  isLink(at: number): boolean {
    const token = this.#tokens[at];
    if (token === undefined || token.kind === 'break') return true;
    if (token.kind === 'symbol') return !IN_NAMES.has(token.text);
    // The apostrophe in "Milk 'n Cereal" is not a link.
    return this.#words.links.has(token.folded) && !/^['’]$/.test(this.#tokens[at - 1]?.text ?? '');
  }

  /**
   * Whether a link connects words that describe a food with an amount: "a sweet, raw banana", "a cup of sweet and juicy
   * grapes", "55 g of homemade or fresh bread".
   */
  goesOn(at: number, open: OpenPhrase | undefined): boolean {
    const { folded, text } = this.#tokens[at]!;
    if (open === undefined || open.words.length === 0 || this.beginsAmount(at + 1)) return false;
    if (open.before === undefined && !(text === ',' && this.#words.belonging.has(open.link))) return false;
    if (folded === 'or') return !open.words.some(isNaming);
    return (
      (text === ',' || this.#words.listing.has(folded)) &&
      open.words.every(({ weight, token }) => weight <= WEAK_WEIGHT || this.#describes(token))
    );
  }

  /** Whether a word describes a food that follows: "boneless, skinless chicken", "red and yellow tomatoes". */
  #describes(at: number): boolean {
    const { descriptors, preparations, adverbs, qualifiers } = this.#language;
    return [descriptors, preparations, adverbs, qualifiers].some((phrases) => phrases.has(this.#tokens, at));
  }

  /** The end of a remark in parentheses within a name: "kosher (coarse) salt". */
  afterRemark(at: number, open: OpenPhrase | undefined): number | undefined {
    if (this.#tokens[at]!.text !== '(' || open === undefined || open.words.length === 0) return undefined;
    for (let end = at + 1; end <= at + MAX_REMARK_TOKENS; end++) {
      const token = this.#tokens[end];
      if (token === undefined || token.text === ',' || this.beginsAmount(end)) return undefined;
      if (token.text !== ')') continue;
      const isInName = this.#tokens[end + 1]?.kind === 'word' && !this.isLink(end + 1);
      return isInName && !this.beginsAmount(end + 1) ? end + 1 : undefined;
    }
    return undefined;
  }

  /** Skips "bottle of" in "a 372g bottle of tea", and introductory words: "a serving of". */
  afterMeasure({ endToken, article, unit }: Amount): number {
    if (article === true && unit === undefined) return endToken;
    for (let at = endToken; at < endToken + MAX_MEASURE_WORDS; at++) {
      const token = this.#tokens[at];
      if (token === undefined || token.kind !== 'word' || this.beginsAmount(at)) return endToken;
      if (token.folded === 'of') return at === endToken || this.#isMeasureWord(at - 1) ? at + 1 : endToken;
    }
    return endToken;
  }

  /** Whether "pouch filled with" has the meaning of "pouch of". */
  fillsContainer(at: number): boolean {
    const { filling, belonging } = this.#words;
    return (
      filling.has(this.#tokens[at]!.folded) &&
      belonging.has(this.#tokens[at + 1]?.folded ?? '') &&
      this.unitAt(at - 1)?.kind === 'container'
    );
  }

  unitAt(at: number): Unit | undefined {
    const word = this.#tokens[at]?.folded ?? '';
    return unitOfWord(word) ?? unitOfWord(word.replace(/s$/, '')) ?? unitOfWord(word.replace(/es$/, ''));
  }

  #isMeasureWord(at: number): boolean {
    return this.#words.fillers.has(this.#tokens[at]!.folded) || this.unitAt(at) !== undefined;
  }
}
