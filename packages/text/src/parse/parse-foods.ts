import type { Food } from '@larder/core/food.ts';
import { runAll, type Steps } from '@larder/search/index/steps.ts';
import { type Amount, findAmounts } from '../find-amounts.ts';
import { detectLanguage, type Language } from '../language.ts';
import { type Token, tokenise } from '../tokens.ts';
import { asksForProducts, CUSTOM_FOOD_VALUE, candidatesOf, type Sources } from './candidates.ts';
import {
  type ConfidenceFeatures,
  confidenceFeatures,
  confidenceOf,
  type FoodCandidate,
  isProbable,
} from './confidence.ts';
import type { FavouriteFood } from './food-finder.ts';
import type { MealItem } from './meal-item.ts';
import { MealReader } from './meal-reader.ts';
import { stemOf } from './names/name-words.ts';
import { mealWordsOf } from './phrases/meal-words.ts';
import { NamesOfParts } from './phrases/names-of-parts.ts';
import { isArticle } from './phrases/phrase.ts';
import { PhraseReader } from './phrases/phrase-reader.ts';
import type { TextContext } from './ranking/state.ts';
import { budgetOf, type ReadingBudget } from './reading-budget.ts';
import { type FoodsToRead, RememberingFinder } from './remembering-finder.ts';
import { exactNameOf } from './structure/exact-name.ts';
import { entriesOf } from './structure/food-list.ts';
import { KNOWN } from './structure/food-words.ts';
import { readRecipeLine, type TextToRead, tellsMeal } from './structure/recipe-line.ts';

/** A food that a text names, with its amount. */
export interface ParsedItem {
  /** The words that name the food. In a line of a recipe, without words about the preparation between them. */
  readonly text: string;
  /** UTF-16 offsets in the text. */
  readonly start: number;
  readonly end: number;
  /** The amount as written; undefined if the text has none. */
  readonly amount?: Amount;
  readonly food?: Food;
  /** Undefined without a food, or if the weight of the amount is unknown. */
  readonly basisAmount?: number;
  /** The source of the weight; see `FoodAmount`. */
  readonly source?: string;
  /** Other candidate foods, with the same amount of each, best first. */
  readonly alternatives: readonly WeighedFood[];
  /** All compared foods, best first; `food` is the first one, unless none matches well enough. */
  readonly candidates: readonly FoodCandidate[];
  /** What the confidence is computed from. */
  readonly evidence?: ConfidenceFeatures;
  /** Probability that food and amount are right, from 0 to 1. */
  readonly confidence: number;
  /** Assumptions about facts that the text does not state. */
  readonly assumed: readonly string[];
}

export interface WeighedFood {
  readonly food: Food;
  /** Undefined if the weight of the amount is unknown. */
  readonly basisAmount?: number | undefined;
}

export interface ParseOptions {
  readonly finder: FoodsToRead;
  /** Detected if absent. */
  readonly language?: Language | undefined;
  /** Foods that the user eats, preferred among foods with equally good names. */
  readonly favourites?: readonly FavouriteFood[] | undefined;
  /** The reading reduces it. */
  readonly budget?: ReadingBudget;
}

const MAX_ALTERNATIVES = 4;
/** Maximum foods compared per step, at most 0.1 ms each. */
const ITEMS_A_STEP = 25;
const LISTED_SCORE = 0.85;

/**
 * Finds the foods that a text names, in order. Deterministic, with work bounded by the length of the text.
 */
export function parseFoods(text: string, options: ParseOptions): ParsedItem[] {
  return runAll(parseInSteps(text, { ...options, finder: new RememberingFinder(options.finder) }));
}

/** Parses in steps: each makes some look-ups of names, begins with a search, or yields some foods. */
export function* parseInSteps(
  text: string,
  { finder, language, favourites = [], budget = budgetOf(text) }: ParseOptions,
): Steps<ParsedItem[]> {
  const { names } = finder;
  const tokens = tokenise(text);
  const spoken = language ?? detectLanguage(tokens);
  const words = mealWordsOf(spoken.code);
  const amounts = findAmounts(tokens, spoken);
  const isList = !tellsMeal(tokens, words);
  const read = { text, tokens, amounts, language: spoken, words, names, budget, isList };
  const eaten = new Set<string>(favourites.map(({ id }) => id));
  const parsed: ParsedItem[] = [];
  const isOne = !isList || exactNameOf(read, finder) !== undefined;
  const entries = isOne ? [read] : partsOf(read);
  for (const entry of entries) {
    const exact = exactItem(entry, finder);
    const { items, isRecipe } =
      exact === undefined ? yield* itemsOf(entry) : { items: [exact], isRecipe: true };
    const context: TextContext = isRecipe && entries.length === 1 ? 'recipe' : 'meal';
    const sources = { finder, names, eaten, text, budget, words, context };
    for (const [at, item] of items.entries()) {
      if (asksForProducts(item, sources) || at % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
      const next = toParsedItem(item, candidatesOf(item, sources), sources);
      const last = parsed.at(-1);
      // Of "coffee or tea" the first one counts.
      if (last !== undefined && item.amount === undefined && isOr(item.link, spoken)) {
        parsed[parsed.length - 1] = withAlternative(last, next);
      } else parsed.push(next);
    }
  }
  // A food named twice is placed where its name matches best.
  return parsed.sort((a, b) => a.start - b.start);
}

/** The entries of a list of foods, each to be read as if it stood alone. */
function partsOf(read: TextToRead): TextToRead[] {
  const entries = entriesOf(read);
  if (entries.length === 1 && entries[0]!.to - entries[0]!.from === read.tokens.length) return [read];
  return entries.map(({ from, to }) => {
    const tokens = read.tokens.slice(from, to);
    return { ...read, tokens, amounts: findAmounts(tokens, read.language) };
  });
}

/** The item of a text that is the name of a food. */
function exactItem(read: TextToRead, finder: FoodsToRead): NamedItem | undefined {
  const exact = exactNameOf(read, finder);
  if (exact === undefined) return undefined;
  const { words, names, budget } = read;
  const tokens = read.tokens.slice(exact.from, exact.to);
  const phrases = new PhraseReader(tokens, words, names).read([]);
  const item = new MealReader({ ...read, tokens }, names, budget).readOne(phrases, exact.amount);
  if (item === undefined) return undefined;
  const [start, end] = [tokens[0]!.start, tokens.at(-1)!.end];
  const hits = exact.hits.map((hit) => ({ ...hit, isExact: true as const }));
  const described = read.tokens.filter(({ kind }) => kind === 'word').map(({ folded }) => stemOf(folded));
  const parts = new NamesOfParts(phrases.slice(0, 1), words);
  const named = new Set(hits.map(({ document }) => document));
  const others = item.hits.filter(({ document }) => !named.has(document));
  return { ...item, start, end, described, parts, hits: [...hits, ...others] };
}

/** The foods of a text without further entries: those of a meal, or the one of a line of a recipe. */
function* itemsOf(
  read: TextToRead,
): Steps<{ readonly items: readonly NamedItem[]; readonly isRecipe: boolean }> {
  const inMeal = yield* mealItems(read);
  const isMeal = listsFoods(inMeal, read) || inMeal.some(({ parts }) => parts.areSaid);
  const line = isMeal ? undefined : recipeItem(read, inMeal.length < 2);
  return { items: line ?? inMeal, isRecipe: line !== undefined };
}

function mealItems(read: TextToRead): Steps<MealItem[]> {
  const { tokens, amounts, words, names, budget } = read;
  return new MealReader(read, names, budget).read(new PhraseReader(tokens, words, names).read(amounts));
}

/**
 * Whether a text lists foods: the words after the first food name another food, not an alternative, a preparation or
 * a remark.
 */
function listsFoods(items: readonly MealItem[], { tokens, language, words, names }: TextToRead): boolean {
  const others = items.slice(1);
  if (others.some(({ link }) => isOr(link, language))) return false;
  return others.some(({ words: said, hits, amount, link, firstToken }) => {
    // "20 g each of nuts and raisins" states one amount for all.
    if (amount !== undefined && !isArticle(amount) && amount !== items[0]!.amount) return false;
    // This matches "eggs and xqzvw", but not "garlic, crushed in pestle and mortar".
    if (hits.length === 0) return !tokens.slice(0, firstToken).some(({ text }) => /[,(-]/.test(text));
    if (link !== ',' && !words.listing.has(link) && !words.separating.has(link)) return false;
    if (isInParentheses(firstToken, tokens)) return false;
    const isPrepared = [language.preparations, language.adverbs, language.parts].some((phrases) =>
      phrases.has(tokens, firstToken),
    );
    const isKnown = said.some(({ stem }) => names.likenessOf(stem) >= KNOWN);
    return !isPrepared && isKnown && (hits[0]?.score ?? 0) >= LISTED_SCORE;
  });
}

function isInParentheses(at: number, tokens: readonly Token[]): boolean {
  const before = tokens.slice(0, at).map(({ text }) => text);
  return before.lastIndexOf('(') > before.lastIndexOf(')');
}

function isOr(link: string, language: Language): boolean {
  return language.or.has(tokenise(link), 0);
}

/** The one food of a line of a recipe. */
function recipeItem(read: TextToRead, isOneFood: boolean): NamedItem[] | undefined {
  const line = readRecipeLine(read, isOneFood);
  if (line === undefined) return undefined;
  const { tokens, words, names, budget, language, isList } = read;
  const { start, end } = line.name;
  const inName = tokens.filter((token) => token.start >= start && token.end <= end);
  const phrases = new PhraseReader(inName, words, names).read([]);
  const item = new MealReader({ tokens: inName, words, language, isList }, names, budget).readOne(
    phrases,
    line.amount,
  );
  const described = tokens.filter(({ kind }) => kind === 'word').map(({ folded }) => stemOf(folded));
  return item === undefined ? undefined : [{ ...item, start, end, described, name: line.name.text }];
}

/** `name` replaces the words from start to end. */
interface NamedItem extends MealItem {
  readonly name?: string;
}

function withAlternative(item: ParsedItem, { food, basisAmount, alternatives }: ParsedItem): ParsedItem {
  const others = [
    ...(food === undefined ? [] : [{ food, basisAmount }]),
    ...item.alternatives,
    ...alternatives,
  ];
  return {
    ...item,
    alternatives: others.filter(({ food: { id } }) => id !== item.food?.id).slice(0, MAX_ALTERNATIVES),
  };
}

/** Whether a food is logged and not only proposed. */
function isChosen(candidate: FoodCandidate | undefined, evidence: ConfidenceFeatures | undefined): boolean {
  if (candidate === undefined || evidence === undefined) return false;
  return candidate.value >= CUSTOM_FOOD_VALUE || isProbable(evidence);
}

function toParsedItem(item: NamedItem, candidates: readonly FoodCandidate[], sources: Sources): ParsedItem {
  const [first] = candidates;
  const evidence = first && confidenceFeatures(candidates, item, sources);
  const confidence = evidence === undefined ? 0 : confidenceOf(evidence);
  const best = isChosen(first, evidence) ? first : undefined;
  const others = best === undefined ? candidates : candidates.slice(1);
  const { start, end, amount } = item;
  const { text } = sources;
  const common = {
    text: item.name ?? text.slice(start, end),
    start,
    end,
    ...(amount !== undefined && { amount }),
    alternatives: others
      .slice(0, MAX_ALTERNATIVES)
      .map(({ food, amount: weighed }) => ({ food, basisAmount: weighed?.basisAmount })),
    candidates,
    confidence: best === undefined ? 0 : confidence,
    ...(evidence !== undefined && { evidence }),
  };
  if (best === undefined) return { ...common, assumed: [] };
  return {
    ...common,
    food: best.food,
    assumed: [
      ...(best.amount?.isAssumed === true ? [best.amount.source] : []),
      ...(item.included ?? []).map((part) => `"${text.slice(part.start, part.end)}" is part of it`),
    ],
    ...(best.amount !== undefined && { basisAmount: best.amount.basisAmount, source: best.amount.source }),
  };
}
