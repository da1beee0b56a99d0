import type { Amount } from '../../find-amounts.ts';
import type { MealWords } from '../../meal-words.ts';
import type { Token } from '../../tokens.ts';
import { stemOf } from '../names/name-words.ts';
import { isMeasured, type OpenPhrase } from './phrase.ts';
import { isProperName } from './word-weights.ts';

/** Maximum words between a link and a part of a dish: "a slice of white bread". */
const MAX_PART_WORDS = 6;

/** Tracks, while a text is read, which phrases describe the dish before them and so name no further food. */
export class DishParts {
  readonly #tokens: readonly Token[];
  readonly #words: MealWords;
  /** The phrases read so far; the list grows. */
  readonly #phrases: readonly OpenPhrase[];
  /** First token of the amount of a part: "one small patty". */
  #start: number | undefined;
  /** Whether a list of components is open: "made with", "filled with". */
  #composes = false;

  constructor(tokens: readonly Token[], words: MealWords, phrases: readonly OpenPhrase[]) {
    this.#tokens = tokens;
    this.#words = words;
    this.#phrases = phrases;
  }

  /** Ends a list of components, at an amount or the end of a sentence. */
  endList(): void {
    this.#composes = false;
  }

  /** Call it at a link, before the previous phrase is closed. Returns whether the link begins a list of components. */
  readLink(at: number, open: OpenPhrase | undefined): boolean {
    const before = this.#tokens[at - 1]?.folded ?? '';
    const { composing, filling, filled, belonging } = this.#words;
    const { folded } = this.#tokens[at]!;
    if (folded !== 'of' && !belonging.has(folded)) return false;
    const phrases = open === undefined ? this.#phrases : [...this.#phrases, open];
    const begins = composing.has(before) || (filling.has(before) && this.#isDish(phrases, filled));
    if (begins) this.#composes = true;
    return begins;
  }

  /**
   * Whether an amount counts a carrier or topping of the food before: "a cheeseburger with one small patty", "a hot dog
   * on a white bun". All phrases before it are closed.
   */
  isAmountOfPart(amount: Amount): boolean {
    if (isMeasured(amount) || !this.#belongsAt(amount.firstToken)) return false;
    if (!this.#isPartAt(amount.firstToken)) return false;
    this.#start = amount.firstToken;
    return true;
  }

  /** For a phrase that begins at a token after a link: the first token, including the amount, if it is a part. */
  startOfPart(at: number, link: string, isCounted: boolean): number | undefined {
    const start = this.#start;
    this.#start = undefined;
    if (start !== undefined || isCounted) return start;
    const { belonging, listing } = this.#words;
    if (this.#composes && (link === ',' || listing.has(link) || belonging.has(link))) return at;
    this.#composes = false;
    if (!belonging.has(link)) return undefined;
    // Matches "coffee from Starbucks".
    return (link === 'from' && isProperName(this.#tokens, at)) || this.#isPartAt(at) ? at : undefined;
  }

  /** Whether such words precede the amount: "with two patties", "which has two patties". */
  #belongsAt(at: number): boolean {
    const [before, link] = [this.#tokens[at - 2]?.folded ?? '', this.#tokens[at - 1]?.folded ?? ''];
    const { belonging, having, retelling, pairing, listing } = this.#words;
    const isWith = (word: string) => belonging.has(word) && listing.has(word);
    if (pairing.has(before)) return false;
    // Matches "with salami and a thin crust".
    if (listing.has(link) && (this.#composes || isWith(this.#phrases.at(-1)?.link ?? ''))) return true;
    return belonging.has(link) || (having.has(link) && retelling.has(before));
  }

  /**
   * Whether a link after a weighed food lists a further one: "200 g salmon with rice", but not "200 g burrito with rice", "400 g tin
   * tomatoes with garlic".
   */
  listsFood(at: number, link: string, { each, container }: Amount): boolean {
    if (each !== undefined || container !== undefined || !this.#words.listing.has(link)) return false;
    return this.#tokens[at - 1]?.text !== ',' && !this.#isDish(this.#phrases, this.#words.composed);
  }

  #isPartAt(at: number): boolean {
    const { links, parts, carriers, dishes } = this.#words;
    let isPart = false;
    const next = this.#tokens.slice(at, at + 2 * MAX_PART_WORDS);
    for (const [index, { kind, folded }] of next.entries()) {
      if (kind === 'break' || folded === ',' || links.has(folded)) break;
      const stem = stemOf(folded);
      if (index < MAX_PART_WORDS && (parts.has(stem) || carriers.has(stem))) isPart = true;
      // "a thin crust pizza" is another food.
      else if (isPart && dishes.has(stem)) return false;
    }
    return isPart && this.#isDish(this.#phrases);
  }

  /** Whether the last food of these phrases is a dish. */
  #isDish(phrases: readonly OpenPhrase[], others?: ReadonlySet<string>): boolean {
    const first = phrases.findLastIndex(({ begins }) => begins);
    return phrases
      .slice(Math.max(0, first))
      .some(({ words }) =>
        words.some(({ stem }) => this.#words.dishes.has(stem) || others?.has(stem) === true),
      );
  }
}

/**
 * Assigns a weight at the end to the food of several phrases: "a burrito with sour cream weighing 272 g". Returns false
 * if it belongs to another one.
 */
export function weighWhole(amount: Amount, phrases: readonly OpenPhrase[]): boolean {
  if (!isMeasured(amount)) return false;
  const first = phrases.findLastIndex(({ begins }) => begins);
  const food = phrases[first];
  const parts = phrases.slice(first + 1);
  const isWeighed = food?.before !== undefined && isMeasured(food.before);
  if (food === undefined || isWeighed || parts.length === 0) return false;
  if (parts.some(({ before, after }) => before !== undefined || after !== undefined)) return false;
  food.before = amount;
  for (const part of parts) part.belongs = true;
  return true;
}
