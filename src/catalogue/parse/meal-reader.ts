import type { Amount } from '../../text/amounts.ts';
import type { Token } from '../../text/tokens.ts';
import type { FoodNames, NameHit, QueryWord } from '../food/food-names.ts';
import { kindsOf, sameFoods } from '../search/words/synonyms.ts';
import type { MealWords } from './meal-words.ts';
import { isEmptyWord, nameWords, stemOf } from './name-words.ts';
import { isArticle, isMeasured, type Phrase, type PhraseWord } from './phrase.ts';
import { isSize } from './serving-match.ts';

/** What a text says of one food. */
export interface MealItem {
  readonly words: readonly PhraseWord[];
  readonly amount?: Amount;
  /** Foods that may be meant, best first; none if no name has the words. */
  readonly hits: readonly NameHit[];
  /** The link before it: "and", "with", ",". */
  readonly link: string;
  readonly firstToken: number;
  /** Stems of words that may describe the serving. */
  readonly described: readonly string[];
  /** The words that name the food, as UTF-16 offsets. */
  readonly start: number;
  readonly end: number;
}

// Values and costs of a reading, in the unit of words' weights (the logarithm of their rarity). A food is worth the weight of its
// words times how well its name fits.
/** A food with a worse name than this is worth less than none. */
const MIN_SCORE = 0.4;
const ITEM_COST = 0.6;
const MERGE_COST = 0.05;
/** For a phrase with an article of its own: "a bar, a Clif Bar". */
const JOIN_COST = 3;
const JOIN_BESIDE_WEIGHTS_COST = 1.5;
/** Part of its weight that a phrase costs if it is no food. */
const SKIP_COST = 0.05;
/** For an amount without a food. */
const LOST_AMOUNT_COST = 8;
/** A name with a higher score has the words of the text and hardly others. */
const EXACT_SCORE = 1;
/** The same after "and" or "with". */
const LISTED_SCORE = 0.85;
/** A phrase with this score alone names a food. */
const ADDED_SCORE = 0.95;
/** Foods that are listed are one only with a better name. */
const JOINED_SCORE = 0.95;
/** Links after a verb: "treated myself to", "opted for". */
const OPTED: ReadonlySet<string> = new Set(['to', 'for']);
// Foods without an amount, in a text that tells amounts of others, or weighs them: rather descriptions of what was weighed.
const BARE_COST = 5;
const BARE_BESIDE_ARTICLES_COST = 1.5;
const BARE_EXACT_COST = 1.5;
const BARE_BESIDE_WEIGHTS_COST = 3;
const BARE_EXACT_BESIDE_WEIGHTS_COST = 2.5;
const BARE_BESIDE_WEIGHTS_FACTOR = 0.4;
/** A food with an article, in a text that weighs others. */
const ARTICLE_BESIDE_WEIGHTS_COST = 1.5;
/** For what a weighed food consists of. */
const BELONGING_COST = 6;
const BELONGING_ARTICLE_COST = 3.5;
/** After "from", "for", "during". */
const NOT_FOOD_COST = 3;
/** Weight factors in a name of several phrases: its head, and the phrases after the first. */
const HEAD_FACTOR = 1.3;
const LATER_FACTOR = 0.8;
/** What other words for a food and its kind take from the score. */
const SYNONYM_COST = 0.1;
const KIND_COST = 0.14;

/** Phrases of one food. */
const MAX_PHRASES = 6;
const MAX_HITS = 8;
/** Above it, no other words are tried. */
const GOOD_SCORE = 0.95;
/** Phrases of less weight are no food. */
const MIN_WEIGHT = 0.5;
/** Words of less weight are no part of the name that is shown. */
const MIN_SAID = 0.1;
/** Less tells of no food, known or not. */
const MIN_UNKNOWN = 0.2;
const MIN_NAMED = 0.4;
const MAX_PHRASE_WORDS = 3;
/** Words of one name that are looked up; names of foods have fewer. */
const MAX_NAME_WORDS = 16;
/** Look-ups of one text. Beyond them, further phrases are each read alone and in their own words. */
const MAX_LOOK_UPS = 400;

interface Reading {
  readonly value: number;
  /** The number of phrases before the last item or skipped phrase. */
  readonly from: number;
  readonly item?: MealItem;
}

/** What a text tells of amounts decides what a phrase without one may be. */
interface Manner {
  /** At least articles: "a banana". */
  readonly hasAmounts: boolean;
  readonly countsFoods: boolean;
  readonly weighsFoods: boolean;
}

const GRAMS: ReadonlySet<string> = new Set(['g', 'kg', 'ml']);

/**
 * Decides which phrases are foods. Each run of phrases is looked up as one name; the reading with the highest value
 * wins: "mac and cheese" is one food because a name has all its words, "eggs and bacon" are two because no better name
 * has both. Dynamic programming over the ends of phrases, with at most `MAX_PHRASES` look-ups for each.
 */
export class MealReader {
  readonly #tokens: readonly Token[];
  readonly #words: MealWords;
  readonly #names: FoodNames;
  #lookUps = 0;
  /** How many stand before each token. */
  #separators = new Uint32Array();
  readonly #alone = new Map<Phrase, number>();

  constructor(tokens: readonly Token[], words: MealWords, names: FoodNames) {
    this.#tokens = tokens;
    this.#words = words;
    this.#names = names;
  }

  read(phrases: readonly Phrase[]): MealItem[] {
    const amounts = phrases.flatMap((phrase) => amountsOf([phrase]));
    const manner = {
      hasAmounts: amounts.length > 0,
      countsFoods: amounts.some((amount) => !isArticle(amount)),
      weighsFoods: amounts.some(({ unit }) => GRAMS.has(unit ?? '')),
    };
    const readings: Reading[] = [{ value: 0, from: -1 }];
    for (let end = 1; end <= phrases.length; end++) {
      readings.push(this.#bestReading(phrases.slice(0, end), readings, manner));
    }
    const items: MealItem[] = [];
    for (let at = phrases.length; at > 0; at = readings[at]!.from) {
      const { item } = readings[at]!;
      if (item !== undefined) items.unshift(item);
    }
    return this.#withoutRepeats(items);
  }

  /** "a doughnut, just one nice yeast-type doughnut" is one. The more exact words and amount count. */
  #withoutRepeats(items: readonly MealItem[]): MealItem[] {
    this.#countSeparators();
    const kept: MealItem[] = [];
    for (const item of items) {
      const at = kept.findLastIndex((other) => this.#isRepeat(other, item));
      if (at === -1) kept.push(item);
      else kept[at] = merged(kept[at]!, item);
    }
    return kept;
  }

  /** What stands between the amounts of different foods: ends of sentences and lines, "another". */
  #countSeparators(): void {
    this.#separators = new Uint32Array(this.#tokens.length);
    let count = 0;
    for (const [at, { kind, text, folded }] of this.#tokens.entries()) {
      this.#separators[at] = count;
      if (kind === 'break' || text === '.' || this.#words.further.has(folded)) count++;
    }
  }

  #isRepeat(before: MealItem, item: MealItem): boolean {
    if (before.amount === undefined || item.amount === undefined || this.#words.listing.has(item.link))
      return false;
    if (item.amount.quantity !== before.amount.quantity && !isArticle(before.amount)) return false;
    if (this.#separators[item.firstToken]! > this.#separators[before.firstToken]!) return false;
    const [head, otherHead] = [before, item].map(({ words }) => words.find(({ isHead }) => isHead)?.stem);
    return head !== undefined && head === otherHead && (saysAll(before, item) || saysAll(item, before));
  }

  /** All phrases as one food with this amount. */
  readOne(phrases: readonly Phrase[], amount: Amount | undefined): MealItem | undefined {
    const words = toQuery(phrases);
    if (words.length === 0) return undefined;
    return this.#toItem(phrases, words, this.#find(words), amount);
  }

  /** The best reading of these phrases, given those of fewer. */
  #bestReading(phrases: readonly Phrase[], readings: readonly Reading[], manner: Manner): Reading {
    const last = phrases.length - 1;
    const joinCost = manner.weighsFoods ? JOIN_BESIDE_WEIGHTS_COST : JOIN_COST;
    let joins = 0;
    let best = this.#skipped(phrases[last]!, readings[last]!.value, last);
    for (let from = last; from >= 0 && phrases.length - from <= MAX_PHRASES; from--) {
      if (from < last && (phrases[from]!.after !== undefined || this.#lookUps > MAX_LOOK_UPS)) break;
      const next = from < last ? phrases[from + 1] : undefined;
      if (next?.begins === true) {
        if (!this.#mayJoin(next, manner) || phrases[last]!.after !== undefined) break;
        joins++;
      }
      if (joins > 0 && !isNamed(phrases[from]!)) continue;
      const span = phrases.slice(from);
      const found = this.#readItem(span, phrases[from - 1], manner);
      if (found === undefined) continue;
      const value = readings[from]!.value + found.value - joins * joinCost;
      if (value > best.value) best = { value, from, item: found.item };
    }
    return best;
  }

  #mayJoin({ mayGoOn, link }: Phrase, { weighsFoods }: Manner): boolean {
    return (
      mayGoOn &&
      (link === ',' || this.#words.belonging.has(link) || (weighsFoods && this.#words.listing.has(link)))
    );
  }

  /** A phrase that is no known food. With an amount it stays an item, so that nothing is dropped silently. */
  #skipped(phrase: Phrase, value: number, from: number): Reading {
    const cost = SKIP_COST * this.#weigh(phrase.words);
    const amount = amountsOf([phrase]).find((each) => !isArticle(each));
    if (amount === undefined) return { value: value - cost, from };
    const words = toQuery([phrase]);
    const lost = { value: value - cost - LOST_AMOUNT_COST, from };
    return words.some(({ weight }) => weight >= MIN_UNKNOWN)
      ? { ...lost, item: this.#toItem([phrase], words, [], amount) }
      : lost;
  }

  /** The phrases as one food, and what that is worth. */
  #readItem(span: readonly Phrase[], before: Phrase | undefined, manner: Manner) {
    const weight = span.reduce((sum, { words }) => sum + this.#weigh(words), 0);
    if (weight < MIN_WEIGHT || this.#weigh(span[0]!.words) < MIN_WEIGHT) return undefined;
    const words = toQuery(span);
    const hits = this.#find(words);
    if (hits.length === 0) return undefined;
    const amounts = amountsOf(span);
    const amount = amounts.find(isMeasured) ?? amounts.find((each) => !isArticle(each)) ?? amounts[0];
    const { score } = hits[0]!;
    if (this.#hasFurtherFood(span, hits[0]!)) return undefined;
    const gain = weight * (Math.min(1, score) - MIN_SCORE);
    const factor =
      amount === undefined && manner.weighsFoods && gain > 0 && score < EXACT_SCORE
        ? BARE_BESIDE_WEIGHTS_FACTOR
        : 1;
    // "at a cafe", but not "opted for a tart".
    const isPlace =
      (amount === undefined || isArticle(amount)) &&
      this.#words.notFoods.has(span[0]!.link) &&
      !(before?.begins === true && !isNamed(before) && OPTED.has(span[0]!.link));
    const cost =
      ITEM_COST +
      MERGE_COST * (span.length - 1) +
      (amount === undefined
        ? this.#bareCost(score, span[0]!.link, manner)
        : manner.weighsFoods && isArticle(amount)
          ? ARTICLE_BESIDE_WEIGHTS_COST
          : 0) +
      (span[0]!.belongs ? (amount === undefined ? BELONGING_COST : BELONGING_ARTICLE_COST) : 0) +
      (isPlace ? NOT_FOOD_COST : 0);
    return { value: gain * factor - cost, item: this.#toItem(span, words, hits, amount) };
  }

  /** Whether a later phrase names a food by itself, of which the found food says nothing: "toast with butter". */
  #hasFurtherFood([first, ...others]: readonly Phrase[], { document, score }: NameHit): boolean {
    const further = others.filter(
      (phrase) => this.#isListing(phrase.link) && this.#scoreAlone(phrase) >= ADDED_SCORE,
    );
    if (further.length === 0) return false;
    const { name, aliases } = this.#names.foodAt(document);
    const said = new Set([name, ...aliases].flatMap((text) => nameWords(text).map(({ stem }) => stem)));
    if (further.some(({ words }) => !words.some(({ stem }) => said.has(stem)))) return true;
    const { before } = first!;
    const isCounted = before === undefined || (!isArticle(before) && !isMeasured(before));
    return isCounted && score < JOINED_SCORE && this.#scoreAlone(first!) >= ADDED_SCORE;
  }

  #scoreAlone(phrase: Phrase): number {
    let score = this.#alone.get(phrase);
    if (score === undefined) {
      score = this.#find(toQuery([phrase]))[0]?.score ?? 0;
      this.#alone.set(phrase, score);
    }
    return score;
  }

  #bareCost(score: number, link: string, { hasAmounts, countsFoods, weighsFoods }: Manner): number {
    const isExact = score >= (this.#isListing(link) ? LISTED_SCORE : EXACT_SCORE);
    if (weighsFoods) return isExact ? BARE_EXACT_BESIDE_WEIGHTS_COST : BARE_BESIDE_WEIGHTS_COST;
    if (!countsFoods) return hasAmounts && !isExact ? BARE_BESIDE_ARTICLES_COST : 0;
    return isExact ? BARE_EXACT_COST : BARE_COST;
  }

  #isListing(link: string): boolean {
    return link === ',' || this.#words.listing.has(link);
  }

  #weigh(words: readonly QueryWord[]): number {
    return words.reduce((sum, { stem, weight }) => sum + weight * this.#names.weightOf(stem), 0);
  }

  /** With other names of the food, or its kind, where the words themselves find no good name. */
  #find(words: readonly PhraseWord[]): readonly NameHit[] {
    this.#lookUps++;
    let best: readonly NameHit[] = this.#names.find(words, MAX_HITS);
    if (this.#lookUps > MAX_LOOK_UPS) return best;
    for (let length = Math.min(MAX_PHRASE_WORDS, words.length); length > 0; length--) {
      for (let at = 0; at + length <= words.length && (best[0]?.score ?? 0) < GOOD_SCORE; at++) {
        const phrase = words
          .slice(at, at + length)
          .map(({ stem }) => stem)
          .join(' ');
        for (const [others, cost] of [
          [sameFoods(phrase), SYNONYM_COST],
          [kindsOf(phrase), KIND_COST],
        ] as const) {
          for (const other of others) {
            this.#lookUps++;
            const hits = this.#names.find(replaced(words, at, length, other), MAX_HITS);
            if ((hits[0]?.score ?? 0) - cost <= (best[0]?.score ?? 0)) continue;
            best = hits.map((hit) => ({ ...hit, score: hit.score - cost }));
          }
        }
      }
    }
    return best;
  }

  #toItem(
    span: readonly Phrase[],
    words: readonly PhraseWord[],
    hits: readonly NameHit[],
    amount: Amount | undefined,
  ): MealItem {
    const amounts = amountsOf(span);
    const from = Math.min(span[0]!.firstToken, ...amounts.map(({ firstToken }) => firstToken));
    const to = Math.max(span.at(-1)!.endToken, ...amounts.map(({ endToken }) => endToken));
    return {
      words,
      hits,
      link: span[0]!.link,
      firstToken: span[0]!.firstToken,
      described: this.#describe(from, to, this.#endOfSizes(span) ?? to),
      ...this.#extentOf(words),
      ...(amount !== undefined && { amount }),
    };
  }

  /** From the first to the last word that says something about the food. */
  #extentOf(words: readonly PhraseWord[]): { readonly start: number; readonly end: number } {
    const said = words.filter(({ weight }) => weight >= MIN_SAID);
    const some = said.length > 0 ? said : words;
    return { start: this.#tokens[some[0]!.token]!.start, end: this.#tokens[some.at(-1)!.token]!.end };
  }

  /** The token after which sizes are those of what belongs to the food: "pizza on a medium crust". */
  #endOfSizes([first, ...others]: readonly Phrase[]): number | undefined {
    return isNamed(first!)
      ? others.find(({ link }) => this.#words.belonging.has(link))?.firstToken
      : undefined;
  }

  #describe(from: number, to: number, endOfSize: number): string[] {
    return this.#tokens
      .slice(from, to)
      .filter(
        ({ kind, folded, text }, at, all) =>
          kind === 'word' &&
          folded !== 'a' &&
          folded !== 'an' &&
          !isEmptyWord(folded) &&
          (from + at < endOfSize || !isSize(stemOf(folded))) &&
          // "every bite" is no size.
          (!/^bites?$/.test(text) || all[at + 1]?.text === '-' || all[at + 1]?.folded === 'size'),
      )
      .map(({ folded }) => stemOf(folded));
  }
}

/** Whether `item` has all words of `other` that name it. */
function saysAll(item: MealItem, other: MealItem): boolean {
  const stems = new Set(item.words.map(({ stem }) => stem));
  return other.words.filter(isSaid).every(({ stem }) => stems.has(stem));
}

function merged(one: MealItem, other: MealItem): MealItem {
  const isLonger = other.words.filter(isSaid).length > one.words.filter(isSaid).length;
  const named = isLonger ? other : one;
  const counted = isArticle(one.amount!) ? other : one;
  return { ...named, amount: counted.amount!, described: [...one.described, ...other.described] };
}

function isSaid({ weight }: PhraseWord): boolean {
  return weight >= MIN_WEIGHT;
}

/** The amounts of a food: before its first phrase, and after its last. */
function amountsOf(span: readonly Phrase[]): Amount[] {
  return [span[0]!.before, span.at(-1)!.after].filter((amount) => amount !== undefined);
}

/** Whether words of it may name a food. */
function isNamed({ words }: Phrase): boolean {
  return words.some(({ weight }) => weight >= MIN_NAMED);
}

/** The words of a run: the last one of the first phrase names the kind of food, later phrases say what belongs to it. */
function toQuery(span: readonly Phrase[]): PhraseWord[] {
  const all = span.flatMap(({ words }, at) => {
    const head = words.findLastIndex(({ weight }) => weight >= 0.5);
    return words.map((word, index) => {
      const isHead = at === 0 && index === head;
      return { ...word, isHead, weight: word.weight * (at > 0 ? LATER_FACTOR : isHead ? HEAD_FACTOR : 1) };
    });
  });
  return all.slice(0, MAX_NAME_WORDS);
}

function replaced(words: readonly PhraseWord[], at: number, length: number, other: string): PhraseWord[] {
  const stems = other
    .split(' ')
    .filter((word) => !isEmptyWord(word))
    .map(stemOf);
  const isHead = words.slice(at, at + length).some((word) => word.isHead);
  return [
    ...words.slice(0, at),
    ...stems.map((stem, index) => ({
      stem,
      weight: 1,
      token: words[at]!.token,
      isHead: isHead && index === stems.length - 1,
    })),
    ...words.slice(at + length),
  ];
}
