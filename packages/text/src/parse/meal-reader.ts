import type { Steps } from '@larder/search/index/steps.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { Amount } from '../find-amounts.ts';
import type { MealWords } from '../meal-words.ts';
import type { FoodNames, QueryWord } from './food-names.ts';
import {
  ADDED_SCORE,
  addedScore,
  BARE_BESIDE_WEIGHTS_FACTOR,
  costOfFood,
  EXACT_SCORE,
  joinCost,
  type Manner,
  mannerOf,
} from './manner.ts';
import {
  extentOf,
  type MealItem,
  namedBy,
  namesUnknownFood,
  type TextOfMeal,
  toMealItem,
} from './meal-item.ts';
import { NameLookUps } from './name-look-ups.ts';
import { FoundFoods } from './names/found-foods.ts';
import { juxtaposedFoods } from './phrases/juxtaposed-foods.ts';
import { areFillings, arePair, endOfListedParts, hasWordOfEach } from './phrases/listed-parts.ts';
import { hitsOfDish } from './phrases/names-of-parts.ts';
import {
  HEAD_FACTOR,
  isArticle,
  isMeasured,
  namesFood,
  type Phrase,
  type PhraseWord,
  phraseAmounts,
  toQuery,
} from './phrases/phrase.ts';
import { FILLER_WEIGHT, UNKNOWN_WEIGHT } from './phrases/word-weights.ts';
import { namesQuality, onlyDescribes } from './qualities.ts';
import type { ReadingBudget } from './reading-budget.ts';
import { withoutRepeats } from './repeated-items.ts';

// Values and costs of a reading, in the unit of words' weights (the logarithm of their rarity). The value of a food is
// the weight of its words times the score of its name.
/** Minimum score of a name; below it, reading no food is better. */
const MIN_SCORE = 0.4;
/** Cost of skipping a phrase, as a share of its weight. */
const SKIP_COST = 0.05;
/** Cost of an amount without a food. */
const LOST_AMOUNT_COST = 8;
/** Minimum score for joining listed foods to one. */
const JOINED_SCORE = 0.95;
/** Bonus of a list whose last word names the food: "a ham and cheese sandwich". */
const LIST_BONUS = 4;

/** Maximum phrases of one food. */
const MAX_PHRASES = 6;
/** Maximum look-ups per step, about 0.1 ms each. */
const LOOK_UPS_A_STEP = 30;
/** Minimum weight of a phrase that names a food. */
const MIN_WEIGHT = 0.5;
/** Minimum weight of an unknown food. */
const MIN_UNKNOWN = 0.2;

interface Reading {
  readonly value: number;
  /** The number of phrases before the last item or skipped phrase. */
  readonly from: number;
  readonly item?: MealItem;
}

/**
 * Decides which phrases are foods. Each run of phrases is looked up as one name; the reading with the highest value
 * wins: "mac and cheese" is one food because a name has all its words, "eggs and bacon" are two because no better name
 * has both. Dynamic programming runs over the ends of phrases, with at most `MAX_PHRASES` look-ups for each.
 */
export class MealReader {
  readonly #text: TextOfMeal;
  readonly #words: MealWords;
  readonly #names: FoodNames;
  readonly #lookUps: NameLookUps;
  readonly #found: FoundFoods;
  readonly #alone = new Map<Phrase, number>();

  constructor(text: TextOfMeal, names: FoodNames, budget: ReadingBudget) {
    this.#text = text;
    this.#words = text.words;
    this.#names = names;
    this.#lookUps = new NameLookUps(names, budget);
    this.#found = new FoundFoods(names);
  }

  /** Reads in steps of about `LOOK_UPS_A_STEP`. */
  *read(written: readonly Phrase[]): Steps<MealItem[]> {
    const scoreOf = (phrase: Phrase) => this.#scoreAlone(phrase);
    const phrases = written.flatMap((phrase) => juxtaposedFoods(phrase, this.#text, scoreOf));
    const amounts = phrases.flatMap((phrase) => phraseAmounts([phrase]));
    const manner = mannerOf(amounts, this.#text.isList);
    const readings: Reading[] = [{ value: 0, from: -1 }];
    let made = 0;
    for (let end = 1; end <= phrases.length; end++) {
      readings.push(this.#bestReading(phrases, end, readings, manner));
      if (this.#lookUps.made - made < LOOK_UPS_A_STEP) continue;
      made = this.#lookUps.made;
      yield;
    }
    const items: MealItem[] = [];
    let parts: Phrase[] = [];
    for (let at = phrases.length; at > 0; at = readings[at]!.from) {
      const { item, from } = readings[at]!;
      if (item === undefined) {
        const leftOut = this.#leftOut(phrases[from]!);
        if (leftOut === undefined) parts.push(phrases[from]!);
        else items.push(leftOut);
      } else {
        items.push({ ...item, included: this.#foodsAmong(parts.toReversed()) });
        parts = [];
      }
    }
    return withoutRepeats(items.toReversed(), this.#text.tokens, this.#words);
  }

  /** Reads a known food in a list as an item without an amount: "200 g chicken, rice". */
  #leftOut(phrase: Phrase): MealItem | undefined {
    const { link, before, belongs, isPart } = phrase;
    const isListed = this.#isListing(link) && !this.#words.belonging.has(link);
    if (!isListed || before !== undefined || belongs || isPart || !namesFood(phrase)) return undefined;
    if (this.#scoreAlone(phrase) < ADDED_SCORE) return undefined;
    const words = toQuery([phrase]);
    return toMealItem(this.#text, {
      span: [phrase],
      words,
      hits: this.#lookUps.find(words),
      amount: undefined,
    });
  }

  /** The phrases that describe the food before them and name foods themselves. */
  #foodsAmong(phrases: readonly Phrase[]) {
    return phrases
      .filter((phrase) => (phrase.belongs || phrase.isPart) && this.#scoreAlone(phrase) >= ADDED_SCORE)
      .map(({ words }) => extentOf(this.#text.tokens, words));
  }

  /** Reads all phrases as one food with this amount. */
  readOne(phrases: readonly Phrase[], amount: Amount | undefined): MealItem | undefined {
    const words = toQuery(phrases);
    if (words.length === 0) return undefined;
    const hits = hitsOfDish(this.#lookUps.find(words), phrases, this.#words, this.#names);
    const named = namedBy(words, hits, this.#names);
    return toMealItem(this.#text, { span: phrases, words, hits, amount, named });
  }

  /** The best reading of the phrases before `end`, given the best readings of fewer phrases. */
  #bestReading(
    phrases: readonly Phrase[],
    end: number,
    readings: readonly Reading[],
    manner: Manner,
  ): Reading {
    const last = end - 1;
    let joins = 0;
    let best = this.#skipped(phrases[last]!, readings[last]!.value, last);
    for (let from = last; from >= 0 && end - from <= MAX_PHRASES; from--) {
      if (from < last && (phrases[from]!.after !== undefined || this.#lookUps.isUsedUp)) break;
      const next = from < last ? phrases[from + 1] : undefined;
      if (next?.begins === true) {
        if (!this.#mayJoin(next, manner) || phrases[last]!.after !== undefined) break;
        joins++;
      }
      if (phrases[from]!.isPart || (joins > 0 && !namesFood(phrases[from]!))) continue;
      const span = phrases.slice(from, end);
      const found = this.#readItem(span, phrases[from - 1], manner);
      if (found === undefined) continue;
      const value = readings[from]!.value + found.value - joins * joinCost(manner);
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

  /** Skips a phrase without a known food. With an amount, or in a list, it stays an item, so that no food vanishes. */
  #skipped(phrase: Phrase, value: number, from: number): Reading {
    const cost = SKIP_COST * this.#weigh(phrase.words);
    const amounts = phraseAmounts([phrase]);
    const amount = amounts.find((each) => !isArticle(each));
    const words = toQuery([phrase]);
    if (amount === undefined) {
      const unknown = words.filter((_, at) => phrase.words[at]!.weight === UNKNOWN_WEIGHT);
      const skipped = { value: value - cost, from };
      return unknown.length > 0 && namesUnknownFood(phrase, this.#text, this.#names)
        ? { ...skipped, item: this.#unknownItem(phrase, unknown, amounts[0]) }
        : skipped;
    }
    const lost = { value: value - cost - LOST_AMOUNT_COST, from };
    return words.some(({ weight }) => weight >= MIN_UNKNOWN)
      ? { ...lost, item: this.#unknownItem(phrase, words, amount) }
      : lost;
  }

  #unknownItem(phrase: Phrase, words: readonly PhraseWord[], amount: Amount | undefined): MealItem {
    return toMealItem(this.#text, { span: [phrase], words, hits: [], amount });
  }

  /** Reads the phrases as one food, with the value of that reading. */
  #readItem(span: readonly Phrase[], before: Phrase | undefined, manner: Manner) {
    const weight = span.reduce((sum, { words }) => sum + this.#weigh(words), 0);
    if (weight < MIN_WEIGHT || this.#weigh(span[0]!.words) < MIN_WEIGHT) return undefined;
    const amounts = phraseAmounts(span);
    const amount = amounts.find(isMeasured) ?? amounts.find((each) => !isArticle(each)) ?? amounts[0];
    const isCounted = amount !== undefined && !isArticle(amount);
    if (!isCounted && this.#namesNone(span)) return undefined;
    // Excludes "a taco from a place, filled with beans".
    if (span[0]!.link === 'from' && !span[0]!.begins && span.some(({ isPart }) => isPart)) return undefined;
    const list = endOfListedParts(span, this.#words);
    const words = toQuery(span, list);
    const hits = hitsOfDish(this.#lookUps.find(words), span, this.#words, this.#names);
    if (hits.length === 0) return undefined;
    const { score } = hits[0]!;
    const tells = words.every(({ weight }) => weight <= HEAD_FACTOR * FILLER_WEIGHT);
    if (tells && score < EXACT_SCORE && amounts.every(isArticle)) return undefined;
    const isOne =
      list > 1 || (list === 1 && hasWordOfEach(span.slice(0, 2), this.#found.stemsOf(hits[0]!.document)));
    if (this.#hasFurtherFood(isOne ? [span[0]!, ...span.slice(list + 1)] : span, hits)) return undefined;
    const gain = weight * (Math.min(1, score) - MIN_SCORE);
    const factor =
      amount === undefined && manner.weighsFoods && !manner.isList && gain > 0 && score < EXACT_SCORE
        ? BARE_BESIDE_WEIGHTS_FACTOR
        : 1;
    const cost = costOfFood(span, before, { amount, score, manner, words: this.#words });
    return {
      value: gain * factor - cost + (isOne ? LIST_BONUS : 0),
      item: toMealItem(this.#text, { span, words, hits, amount }),
    };
  }

  /** Whether the phrases contain no food name: "light", "a sweet and sour taste". */
  #namesNone(span: readonly Phrase[]): boolean {
    const named = span.findIndex((phrase) => !onlyDescribes(phrase, this.#text));
    return named === -1 || namesQuality(span[named]!, this.#text);
  }

  /** Whether a later phrase names another food, which the found name lacks: "toast with butter". */
  #hasFurtherFood([first, ...others]: readonly Phrase[], hits: readonly SearchHit[]): boolean {
    const { document, score } = hits[0]!;
    if (others.some((phrase) => this.#isUnknownFood(phrase))) return true;
    const further = others.filter(
      (phrase) =>
        !phrase.isPart &&
        this.#isListing(phrase.link) &&
        this.#scoreAlone(phrase) >= addedScore(phrase.link, this.#text.isList),
    );
    if (further.length === 0) return false;
    const { name } = this.#names.foodAt(document);
    const isListed =
      further.some(({ link }) => link === ',' || link === 'plus') ||
      arePair(further.at(-1)!, name, this.#words);
    if (this.#text.isList && isListed && this.#scoreAlone(first!) >= ADDED_SCORE) return true;
    const said = this.#found.stemsOf(document);
    const unsaid = further.filter(({ words }) => !words.some(({ stem }) => said.has(stem)));
    if (unsaid.length > 0)
      return !areFillings(first!, others[0]!, unsaid, { hits, found: this.#found, words: this.#words });
    const { before } = first!;
    const isCounted = before === undefined || (!isArticle(before) && !isMeasured(before));
    return isCounted && score < JOINED_SCORE && this.#scoreAlone(first!) >= ADDED_SCORE;
  }

  /**
   * Whether a phrase names an unknown food. Phrases such as "soft" are excluded, since they may describe the
   * food before: "rich flavor and soft consistency".
   */
  #isUnknownFood(phrase: Phrase): boolean {
    return (
      phrase.words.every(({ weight }) => weight === UNKNOWN_WEIGHT || weight <= FILLER_WEIGHT) &&
      namesUnknownFood(phrase, this.#text, this.#names)
    );
  }

  #scoreAlone(phrase: Phrase): number {
    let score = this.#alone.get(phrase);
    if (score === undefined) {
      score = this.#lookUps.find(toQuery([phrase]))[0]?.score ?? 0;
      this.#alone.set(phrase, score);
    }
    return score;
  }

  #isListing(link: string): boolean {
    return link === ',' || this.#words.listing.has(link);
  }

  #weigh(words: readonly QueryWord[]): number {
    return words.reduce((sum, { stem, weight }) => sum + weight * this.#names.weightOf(stem), 0);
  }
}
