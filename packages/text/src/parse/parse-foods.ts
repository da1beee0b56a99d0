import type { Food } from '@larder/core/food.ts';
import { runAll, type Steps } from '@larder/search/index/steps.ts';
import { type Amount, findAmounts } from '../find-amounts.ts';
import type { TextPart } from '../ingredient-line.ts';
import { detectLanguage, type Language } from '../language.ts';
import { type Token, tokenise } from '../tokens.ts';
import { asksForProducts, candidatesOf, type Sources } from './candidates.ts';
import { confidenceOf, type FoodCandidate, isGuess } from './confidence.ts';
import type { FavouriteFood } from './food-finder.ts';
import type { Extent, MealItem } from './meal-item.ts';
import { MealReader } from './meal-reader.ts';
import { exactItem, type NamedItem, recipeItem } from './named-item.ts';
import { mealWordsOf } from './phrases/meal-words.ts';
import { isArticle } from './phrases/phrase.ts';
import { PhraseReader } from './phrases/phrase-reader.ts';
import { budgetOf, type ReadingBudget } from './reading-budget.ts';
import { type FoodsToRead, RememberingFinder } from './remembering-finder.ts';
import { contextOf, type TextContext } from './structure/context.ts';
import { exactNameOf } from './structure/exact-name.ts';
import { entriesOf } from './structure/food-list.ts';
import { KNOWN } from './structure/food-words.ts';
import { type TextToRead, tellsMeal } from './structure/recipe-line.ts';
import { extentsOf, type IgnoredPart, ignoredParts, remarksOf } from './structure/remainder.ts';

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
  /** Inferred from the form of the text if absent. */
  readonly context?: TextContext | undefined;
}

/** What a text says. Each of its words is part of an item, a small word, or ignored. */
export interface ParsedText {
  readonly items: readonly ParsedItem[];
  /** Words about preparation and the like, in their order, by clause. */
  readonly ignored: readonly TextPart[];
  readonly context: TextContext;
}

const MAX_ALTERNATIVES = 4;
/** Maximum foods compared per step, at most 0.1 ms each. */
const ITEMS_A_STEP = 25;
const LISTED_SCORE = 0.85;

/**
 * Finds the foods that a text names, in order. Deterministic, with work bounded by the length of the text.
 */
export function parseFoods(text: string, options: ParseOptions): ParsedItem[] {
  return [...parseText(text, options).items];
}

/** Reads as `parseFoods` does, and returns what was ignored, too. */
export function parseText(text: string, options: ParseOptions): ParsedText {
  return runAll(parseInSteps(text, { ...options, finder: new RememberingFinder(options.finder) }));
}

/** Parses in steps: each makes some look-ups of names, begins with a search, or yields some foods. */
export function* parseInSteps(text: string, options: ParseOptions): Steps<ParsedText> {
  const { finder, favourites = [] } = options;
  const read = textToRead(text, options);
  const { names, budget, words, language, isList } = read;
  const context = options.context ?? contextOf([read], 'meal');
  const eaten = new Set<string>(favourites.map(({ id }) => id));
  const sources = { finder, names, eaten, text, budget, words, context };
  const parsed: ParsedItem[] = [];
  const covered: Extent[] = [];
  /** Parts of the text in which amounts count no further food: lines of one food, foods that are told again. */
  const remarks: Extent[] = [];
  const isOne = !isList || exactNameOf(read, finder) !== undefined;
  for (const entry of isOne ? [read] : partsOf(read)) {
    const exact = exactItem(entry, finder);
    const items = exact === undefined ? yield* itemsOf(entry) : [exact];
    if (items.some(({ name }) => name !== undefined)) remarks.push(extentOf(entry));
    const remarksOn = remarksOf(items, entry);
    for (const [at, item] of items.entries()) {
      if (asksForProducts(item, sources) || at % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
      const remarked = { ...item, remarks: remarksOn[at]! };
      const next = toParsedItem(remarked, candidatesOf(remarked, sources), sources);
      const last = parsed.at(-1);
      // Of "coffee or tea" the first one counts.
      if (last !== undefined && item.amount === undefined && isOr(item.link, language)) {
        parsed[parsed.length - 1] = withAlternative(last, next);
        continue;
      }
      parsed.push(next);
      covered.push(
        item,
        ...(item.included ?? []),
        ...(item.amount === undefined ? [] : extentsOf(item.amount)),
      );
      remarks.push(...(item.mentions ?? []));
    }
  }
  const parts = ignoredParts(covered, read);
  const isLeft = ({ text: said, amount, start }: IgnoredPart) =>
    context === 'meal' &&
    amount !== undefined &&
    /\p{L}/u.test(said) &&
    !remarks.some((part) => start >= part.start && start < part.end);
  parsed.push(...parts.filter(isLeft).map(unknownItem));
  return {
    // A food named twice is placed where its name matches best.
    items: parsed.sort((a, b) => a.start - b.start),
    ignored: parts
      .filter((part) => !isLeft(part))
      .map(({ text: said, start, end }) => ({ text: said, start, end })),
    context,
  };
}

/** Takes a text apart into words and amounts. */
export function textToRead(
  text: string,
  { finder, language, budget = budgetOf(text) }: ParseOptions,
): TextToRead {
  const tokens = tokenise(text);
  const spoken = language ?? detectLanguage(tokens);
  const words = mealWordsOf(spoken.code);
  const amounts = findAmounts(tokens, spoken);
  const isList = !tellsMeal(tokens, words);
  return { text, tokens, amounts, language: spoken, words, names: finder.names, budget, isList };
}

function extentOf({ tokens }: TextToRead): Extent {
  return { start: tokens[0]!.start, end: tokens.at(-1)!.end };
}

/** An item for words in which no food is known. */
export function unknownItem({ text, start, end, amount }: IgnoredPart): ParsedItem {
  const common = { text, start, end, alternatives: [], candidates: [], confidence: 0, assumed: [] };
  return { ...common, ...(amount !== undefined && { amount }) };
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

/** The foods of a text without further entries: those of a meal, or the one of a line of a recipe. */
function* itemsOf(read: TextToRead): Steps<readonly NamedItem[]> {
  const inMeal = yield* mealItems(read);
  if (listsFoods(inMeal, read) || inMeal.some(({ parts }) => parts.areSaid)) return inMeal;
  return recipeItem(read, inMeal.length < 2) ?? inMeal;
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

function toParsedItem(
  item: NamedItem,
  candidates: readonly FoodCandidate[],
  { names, text }: Sources,
): ParsedItem {
  const [first] = candidates;
  const best = first === undefined || isGuess(first, item, names) ? undefined : first;
  const others = best === undefined ? candidates : candidates.slice(1);
  const { start, end, amount } = item;
  const common = {
    text: item.name ?? text.slice(start, end),
    start,
    end,
    ...(amount !== undefined && { amount }),
    alternatives: others
      .slice(0, MAX_ALTERNATIVES)
      .map(({ food, amount: weighed }) => ({ food, basisAmount: weighed?.basisAmount })),
    candidates,
    confidence: best === undefined ? 0 : confidenceOf(candidates, amount !== undefined),
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
