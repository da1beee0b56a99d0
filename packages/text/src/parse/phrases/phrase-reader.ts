import type { Amount } from '../../find-amounts.ts';
import type { MealWords } from '../../meal-words.ts';
import type { Token } from '../../tokens.ts';
import type { FoodNames } from '../food-names.ts';
import type { TextOfMeal } from '../meal-item.ts';
import { isEmptyWord, negated, StemReader } from '../names/name-words.ts';
import { DishParts, weighWhole } from './dish-parts.ts';
import {
  featuresFood,
  isArticle,
  isMeasured,
  isNaming,
  type OpenPhrase,
  type Phrase,
  sizeIsOfName,
  TELLING,
  takeAmount,
  weighsCarrier,
} from './phrase.ts';
import { PhraseTokens } from './phrase-tokens.ts';
import {
  FILLER_WEIGHT,
  IMPLIED_WEIGHT,
  isProperName,
  UNKNOWN_WEIGHT,
  WEAK_WEIGHT,
  weightOfWord,
} from './word-weights.ts';

/** Splits a text into phrases in one pass. */
export class PhraseReader {
  readonly #text: TextOfMeal;
  readonly #tokens: readonly Token[];
  readonly #words: MealWords;
  readonly #names: FoodNames;
  readonly #stems = new StemReader();
  readonly #phrases: OpenPhrase[] = [];
  #open: OpenPhrase | undefined;
  #pending: Amount | undefined;
  #at: PhraseTokens;
  readonly #parts: DishParts;
  #isStart = true;
  /** The amount that applies to each food of a list. */
  #each: Amount | undefined;
  /** The last amount if it is a weight, followed by "with" or the like. */
  #weight: Amount | undefined;
  #belongs = false;
  #link = '';

  constructor(text: TextOfMeal, names: FoodNames) {
    const { tokens, words } = text;
    this.#text = text;
    this.#tokens = tokens;
    this.#words = words;
    this.#names = names;
    this.#at = new PhraseTokens(text, []);
    this.#parts = new DishParts(tokens, words, this.#phrases);
  }

  read(amounts: readonly Amount[]): readonly Phrase[] {
    this.#at = new PhraseTokens(this.#text, amounts);
    let next = 0;
    for (let at = 0; at < this.#tokens.length; ) {
      const amount = amounts[next];
      if (amount?.firstToken === at) {
        next++;
        at = this.#readAmount(amount);
      } else at = this.#at.afterRemark(at, this.#open) ?? this.#readToken(at);
    }
    this.#close();
    return this.#phrases;
  }

  /** The food before a clause that states its amount: "root beer, which was a 20 fl oz treat". */
  #toldFood(amount: Amount): OpenPhrase | undefined {
    if (!isMeasured(amount) || !TELLING.has(this.#open?.link ?? this.#link)) return undefined;
    if (this.#tokens[amount.firstToken - 1]?.folded === 'of') return undefined;
    if (this.#at.afterMeasure(amount) !== amount.endToken) return undefined;
    if (this.#open?.words.some(({ weight }) => weight > FILLER_WEIGHT)) return undefined;
    const food = this.#phrases.findLast(({ words }) => words.some(({ weight }) => weight >= WEAK_WEIGHT));
    if (food === undefined || food.after !== undefined) return undefined;
    return food.before === undefined || !isMeasured(food.before) ? food : undefined;
  }

  /** Reads an amount and returns the next token. */
  #readAmount(amount: Amount): number {
    if (this.#open !== undefined && isProperName(this.#tokens, amount.firstToken)) {
      // A name may contain an amount: "Honey Bunches of Oats".
      this.#addWord(this.#tokens[amount.firstToken]!.folded, amount.firstToken);
      return amount.firstToken + 1;
    }
    if (!isArticle(amount)) {
      this.#parts.endList();
      this.#weight = weighsCarrier(amount) ? amount : undefined;
      this.#belongs = false;
    }
    const { size, ...others } = amount;
    if (!sizeIsOfName(amount, this.#tokens, this.#names)) {
      this.#place(amount);
      this.#each = this.#words.each.has(this.#tokens[amount.endToken]?.folded ?? '') ? amount : undefined;
      return this.#at.afterMeasure(amount);
    }
    this.#place(others);
    return amount.endToken - 1;
  }

  /** Decides which phrase an amount belongs to. */
  #place(amount: Amount): void {
    if (this.#passOnWeight(amount) || this.#placeInDish(amount)) return;
    const told = this.#toldFood(amount);
    if (told !== undefined) {
      told.after = amount;
      this.#open = undefined;
      this.#pending = undefined;
      return;
    }
    const [previous, isOver] = [this.#open ?? this.#phrases.at(-1), this.#at.isLink(amount.endToken)];
    const isFree =
      previous !== undefined &&
      !this.#isStart &&
      previous.after === undefined &&
      (previous.before === undefined || !isMeasured(previous.before));
    if (isArticle(amount)) {
      this.#placeArticle(amount);
    } else if (isOver && amount.article === true && this.#words.notFoods.has(this.#link)) {
      // "for a crisp bite" does not state an amount.
      this.#link = '';
    } else if (isFree && (isOver || amount.aside === true)) {
      previous.after = amount;
      if (isOver) this.#close();
    } else if (this.#open?.before !== undefined && isArticle(this.#open.before)) {
      takeAmount(this.#open, amount);
    } else if (amount.unit === undefined && (this.#open?.before ?? this.#pending) !== undefined) {
      // A number may begin a name: "a 51g 3 Musketeers bar".
      this.#begin(amount.firstToken);
      this.#addWord(this.#tokens[amount.firstToken]!.folded, amount.firstToken, UNKNOWN_WEIGHT);
      this.#open!.endToken = amount.endToken;
    } else this.#await(amount);
  }

  #placeArticle(article: Amount): void {
    // After "to achieve a crunch" the rest still states a purpose.
    const { link } = this.#open ?? {};
    if (link !== undefined) this.#link = featuresFood(this.#open, this.#phrases.at(-1)) ? '' : link;
    this.#close();
    // The weight of "372g of a fruity drink" counts.
    if (this.#pending === undefined || isArticle(this.#pending)) this.#pending = article;
  }

  /** Keeps the amount for the next phrase. */
  #await(amount: Amount): void {
    // The link of "which held two bars" counts.
    if (this.#open?.words.some(isNaming) === false) this.#link = this.#open.link;
    this.#close();
    this.#pending = amount;
  }

  /** Passes a weight on to the next food: "a snack of 31 g of a drink". */
  #passOnWeight(article: Amount): boolean {
    const { before, words = [] } = this.#open ?? {};
    if (!isArticle(article) || before === undefined || !isMeasured(before) || words.some(isNaming))
      return false;
    if (this.#tokens[article.firstToken - 1]!.folded !== 'of') return false;
    this.#pending = before;
    this.#open = undefined;
    return true;
  }

  /** Whether an amount belongs to a part of the dish before, or to all of it. */
  #placeInDish(amount: Amount): boolean {
    const isWeighing = this.#words.weighing.has(this.#tokens[amount.firstToken]!.folded);
    if (isWeighing) this.#close();
    if (this.#open?.words.some(isNaming) === true || this.#at.beginsAmount(amount.endToken)) return false;
    const isPlaced = isWeighing ? weighWhole(amount, this.#phrases) : this.#parts.isAmountOfPart(amount);
    // The link of "which had two patties" counts.
    if (isPlaced && this.#open !== undefined) {
      this.#link = this.#open.link;
      this.#open = undefined;
    }
    return isPlaced;
  }

  #readToken(at: number): number {
    const token = this.#tokens[at]!;
    const { folded, kind, text } = token;
    if (this.#at.endsSentence(at)) {
      this.#close();
      this.#pending = undefined;
      this.#isStart = true;
      this.#weight = undefined;
      this.#belongs = false;
      this.#each = undefined;
      this.#parts.endList();
    } else if (/^[-‐%"'!]$/.test(text)) {
      // Symbols inside words are skipped.
    } else if (folded === 'of') this.#readOf(at);
    else if (this.#at.fillsContainer(at)) {
      this.#readOf(at);
      return at + 2;
    } else if (this.#at.goesOn(at, this.#open)) {
      // The range remains one phrase.
    } else if (this.#words.subjects.has(folded)) {
      // A subject begins another clause: "…, and I also had".
      this.#close();
      this.#isStart = true;
    } else if (this.#at.isLink(at)) {
      this.#parts.readLink(at, this.#open);
      this.#close();
      // The first word of "paired with" decides, and the second of "served on".
      const isServed = this.#link === 'served' && !this.#words.listing.has(folded);
      if (this.#link === '' || this.#link === ',' || isServed) this.#link = kind === 'symbol' ? ',' : folded;
      if (this.#at.followsPronoun(at)) {
        this.#belongs = false;
        this.#parts.endList();
      } else if (this.#weight !== undefined && this.#words.belonging.has(this.#link))
        this.#belongs = !(this.#text.isList && this.#parts.listsFood(at, this.#link, this.#weight));
    } else {
      this.#begin(at);
      const isPercent = this.#tokens[at + 1]?.text === '%';
      this.#addWord(isPercent ? `${folded}%` : folded, at);
      this.#open!.endToken = isPercent ? at + 2 : at + 1;
    }
    return at + 1;
  }

  /** Reads "of": in "a bag of crisps" the words before describe the amount; in "leg of lamb" it belongs to the name. */
  #readOf(at: number): void {
    const open = this.#open;
    if (this.#parts.readLink(at, open)) {
      this.#close();
      this.#link = 'with';
      return;
    }
    if (open?.before === undefined) return;
    const isMeasure = this.#at.unitAt(at - 1) !== undefined && !isProperName(this.#tokens, at - 1);
    if (isMeasure || open.words.every(({ weight }) => weight <= FILLER_WEIGHT)) {
      for (const word of open.words) word.weight = 0;
    }
  }

  #begin(at: number): void {
    if (this.#open !== undefined) return;
    // The amount applies to each food of "30 g each of nuts, raisins and seeds".
    if (
      this.#link === ',' ||
      (this.#words.listing.has(this.#link) && !this.#words.belonging.has(this.#link))
    ) {
      this.#pending ??= this.#each;
    }
    const part = this.#parts.startOfPart(at, this.#link, this.#pending !== undefined || this.#isStart);
    const isCounted = this.#pending !== undefined && !isArticle(this.#pending);
    // "chips and an apple" are two foods, "pizza with a thin crust" is one.
    const isListed = this.#pending !== undefined && !this.#words.belonging.has(this.#link);
    // Matches "and a coffee", but not "and a mix of herbs".
    const isAdded = isListed && this.#words.listing.has(this.#link) && this.#tokens[at + 1]?.folded !== 'of';
    this.#open = {
      words: [],
      firstToken: part ?? at,
      endToken: at,
      isPart: part !== undefined,
      begins: this.#isStart || isCounted || isListed || this.#words.separating.has(this.#link),
      mayGoOn: !this.#isStart && !isCounted && isListed,
      link: this.#link,
      belongs: this.#belongs && !isCounted && !isAdded,
      ...(this.#pending !== undefined && { before: this.#pending }),
    };
    this.#isStart = false;
    this.#pending = undefined;
    this.#link = '';
  }

  #addWord(written: string, token: number, weight?: number): void {
    const { words } = this.#open!;
    const word = written.replace(/['’]/g, '');
    const last = words.at(-1);
    if (word === 'free' && last !== undefined) {
      last.stem = negated(last.stem);
      last.weight = Math.max(last.weight, WEAK_WEIGHT);
      return;
    }
    const stem = this.#stems.read(word, /^[-‐]$/.test(this.#tokens[token + 1]?.text ?? ''));
    if (stem !== undefined && !isEmptyWord(word)) {
      const { text, isOfName } = this.#tokens[token]!;
      words.push({
        stem,
        weight: weight ?? this.#weigh(word, stem, token),
        token,
        ...(isOfName !== true && { written: text }),
      });
    }
  }

  #weigh(word: string, stem: string, token: number): number {
    if (this.#words.implied.has(`${this.#open?.words.at(-1)?.stem} ${stem}`)) return IMPLIED_WEIGHT;
    const isNamed = this.#open?.words.some(({ weight }) => weight >= WEAK_WEIGHT) === true;
    const isProper = !this.#words.capitalNouns && isProperName(this.#tokens, token);
    return weightOfWord({ word, stem, isNamed, isProper }, this.#words, this.#names);
  }

  #close(): void {
    this.#stems.endPhrase();
    if (this.#open !== undefined && this.#open.words.length > 0) this.#phrases.push(this.#open);
    else if (this.#open?.before !== undefined) this.#pending = this.#open.before;
    this.#open = undefined;
  }
}
