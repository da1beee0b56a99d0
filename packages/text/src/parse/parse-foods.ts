import { languageBit } from '@larder/core/name-languages.ts';
import { runAll, type Steps } from '@larder/search/index/steps.ts';
import { type Amount, findAmounts } from '../find-amounts.ts';
import type { TextPart } from '../ingredient-line.ts';
import {
  LANGUAGE_CODES,
  type Language,
  type LanguageCode,
  languageOf,
  likelyLanguages,
  TABLES,
} from '../language.ts';
import { type MealWords, mealWordsOf, SHORT_WITH } from '../meal-words.ts';
import { type Token, tokenise } from '../tokens.ts';
import { CachingFinder, type FoodsToRead } from './caching-finder.ts';
import { asksForProducts, candidatesOf } from './candidates.ts';
import type { FavouriteFood } from './food-finder.ts';
import type { FoodNames } from './food-names.ts';
import type { Host } from './grams/described.ts';
import { isAddition } from './grams/to-grams.ts';
import { isYield } from './grams/typical-pieces.ts';
import { usualPortionOf } from './grams/usual-portions.ts';
import { type LatticeItem, readLattice } from './lattice/read-lattice.ts';
import { choicesAmong, listsFoods } from './lists-foods.ts';
import type { Extent, MealItem } from './meal-item.ts';
import { MealReader } from './meal-reader.ts';
import { exactItem, type NamedItem, recipeItem } from './named-item.ts';
import { stemOf } from './names/name-words.ts';
import { markNumberedNames } from './numbered-names.ts';
import { MAX_ALTERNATIVES, type ParsedItem, toParsedItem } from './parsed-item.ts';
import { divideCompounds } from './phrases/counted-compounds.ts';
import { isArticle, isMeasured } from './phrases/phrase.ts';
import { PhraseReader } from './phrases/phrase-reader.ts';
import { withPercentSigns } from './ranking/percent.ts';
import { budgetOf, type ReadingBudget } from './reading-budget.ts';
import { contextOf, type TextContext } from './structure/context.ts';
import { exactNameOf } from './structure/exact-name.ts';
import { type Instruction, instructionsIn } from './structure/instructions.ts';
import { withLengthAfter } from './structure/lengths.ts';
import { listOf, partsOf } from './structure/list-of-foods.ts';
import { describesMeal, type TextToRead } from './structure/recipe-line.ts';
import { extentsOf, type IgnoredPart, remainderOf, remarksOf } from './structure/remainder.ts';
import { wholesToldByParts } from './structure/told-by-parts.ts';
import { inflectedIn, toKnownForms, toMeantWords } from './word-forms.ts';

export interface ParseOptions {
  readonly finder: FoodsToRead;
  /** Detected if absent. */
  readonly language?: Language | undefined;
  /** Foods that the user eats, preferred among foods with equally good names. */
  readonly favourites?: readonly FavouriteFood[] | undefined;
  /** Work budget, which reading reduces. */
  readonly budget?: ReadingBudget;
  /** Inferred from the form of the text if absent. */
  readonly context?: TextContext | undefined;
  /** The context was inferred from all lines together, and a line without signs of its own may be of another one. */
  readonly isGuess?: boolean;
  /** The text is an element of an array, which usually holds lines of a recipe. */
  readonly isArray?: boolean;
}

/** The result of reading a text. Each word is part of an item, a function word, or ignored. */
export interface ParsedText {
  readonly items: readonly ParsedItem[];
  /** Words about preparation and the like, in order, by clause. */
  readonly ignored: readonly TextPart[];
  readonly context: TextContext;
}

/** Maximum foods compared per step, at most 0.1 ms each. */
const ITEMS_A_STEP = 25;

/**
 * Finds the foods that a text names, in order. Deterministic, with work bounded by the length of the text.
 */
export function parseFoods(text: string, options: ParseOptions): ParsedItem[] {
  return [...parseText(text, options).items];
}

/** Reads as `parseFoods` does, and returns what was ignored, too. */
export function parseText(text: string, options: ParseOptions): ParsedText {
  return runAll(parseInSteps(text, { ...options, finder: new CachingFinder(options.finder) }));
}

/** Parses in steps: each makes some look-ups of names, begins with a search, or yields some foods. */
export function* parseInSteps(text: string, options: ParseOptions): Steps<ParsedText> {
  const { finder, favourites = [] } = options;
  const read = textToRead(text, options);
  const { names, budget, words } = read;
  const readings = yield* readEither(read, options);
  const isLine = readings.length === 1 && readings[0]!.isLine;
  const named = readings.flatMap(({ items }) => items);
  const isName = named[0]?.hits.some((hit) => hit.isExact) === true;
  const { context, impliesState } = contextIn(read, options, {
    listsFoods: named.length > 1,
    isLine,
    isName,
  });
  const eaten = new Set<string>(favourites.map(({ id }) => id));
  const { language } = read;
  const sources = { finder, names, eaten, text, budget, words, language, context, impliesState };
  const parsed: ParsedItem[] = [];
  /** The last food that is no addition: the toast of "toast with butter and jam". */
  let host: ParsedItem | undefined;
  const covered: Extent[] = [];
  /** Parts of the text in which amounts count no further food: lines of one food, and repeated foods. */
  const remarks: Extent[] = [];
  const instructions = instructionsIn(read);
  const wholes = wholesToldByParts(named, read, context);
  for (const { entry, items, isLine: isOneFood } of readings) {
    if (isOneFood) remarks.push(extentOf(entry));
    const remarksOn = remarksOf(items, entry);
    const choices = choicesAmong(items, entry);
    for (const [at, item] of items.entries()) {
      const passedOver = wholes.get(item) ?? instructionWith(item, instructions);
      if (passedOver !== undefined) {
        remarks.push(passedOver);
        continue;
      }
      if (asksForProducts(item, sources) || at % ITEMS_A_STEP === ITEMS_A_STEP - 1) yield;
      const amount = withLengthAfter(item.amount, item.end, entry.amounts);
      const remarked = {
        ...item,
        host: hostOf(item, host, words),
        remarks: item.remarks ?? remarksOn[at]!,
        ...(amount !== undefined && { amount }),
      };
      const next = toParsedItem(remarked, candidatesOf(remarked, sources), sources);
      const last = parsed.at(-1);
      // Only the first food of "coffee or tea" and "protein bar (quest)" counts.
      if (last !== undefined && (choices.has(item) || repeatsInParentheses(last, next, text))) {
        parsed[parsed.length - 1] = withAlternative(last, next);
        continue;
      }
      parsed.push(next);
      host = hostAfter(next, host);
      covered.push(...coveredBy(remarked, next.food !== undefined));
      remarks.push(...remarksOfItem(item));
    }
  }
  const { left, ignored } = remainderOf(covered, remarks, read);
  if (context === 'meal') parsed.push(...left.map(unknownItem));
  return {
    // A food named twice is placed at its best-matching name.
    items: inOrder(parsed),
    ignored: (context === 'meal' ? ignored : inOrder([...left, ...ignored])).map(toPart),
    context,
  };
}

/** Whether an item in parentheses is the food before it again. */
function repeatsInParentheses(last: ParsedItem, next: ParsedItem, text: string): boolean {
  const isSame = next.food !== undefined && next.food.id === last.food?.id && next.amount === undefined;
  return isSame && /^\s*\(\s*$/.test(text.slice(last.end, next.start)) && /^\s*\)/.test(text.slice(next.end));
}

/** The context of a text, and whether it is known well enough to imply the states of foods. */
function contextIn(
  read: TextToRead,
  { context: stated, isGuess = false, isArray = false }: ParseOptions,
  { isLine, ...form }: { readonly listsFoods: boolean; readonly isLine: boolean; readonly isName: boolean },
): { readonly context: TextContext; readonly impliesState: boolean } {
  const shown = contextOf([read], form);
  // A name alone is what someone ate: "steak".
  const isOfRecipe = isArray || read.amounts.some((amount) => !isArticle(amount));
  const context = stated ?? shown ?? (isLine && isOfRecipe ? 'recipe' : 'meal');
  if (stated !== undefined && !isGuess) return { context, impliesState: true };
  // Lines of recipes begin with their amount: not "chicken without skin 150 g".
  const [first] = read.amounts;
  const begins = first !== undefined && first.firstToken <= 1;
  return { context, impliesState: shown === context && (context === 'meal' || begins) };
}

/** Most usual portions of a food with an addition. */
const MAX_TIMES = 3;

/** The food that an item is added to: "with", "and", "on" precede it. */
function hostOf(
  { link }: MealItem,
  last: ParsedItem | undefined,
  { belonging, listing }: MealWords,
): Host | undefined {
  if (last?.food === undefined || !(belonging.has(link) || listing.has(link))) return undefined;
  const usual = last.amount === undefined ? undefined : usualPortionOf(last.food)?.p50;
  const times = usual === undefined ? 1 : Math.max(1, Math.min(MAX_TIMES, (last.basisAmount ?? 0) / usual));
  return { name: last.food.name, times };
}

function hostAfter(item: ParsedItem, host: ParsedItem | undefined): ParsedItem | undefined {
  return item.source !== undefined && isAddition(item.source) ? host : item;
}

function inOrder<T extends Extent>(parts: readonly T[]): T[] {
  return parts.toSorted((a, b) => a.start - b.start);
}

function toPart({ text, start, end }: TextPart): TextPart {
  return { text, start, end };
}

/** Reads a text as the list of a diary, as a line of a recipe, or as sentences. */
function* readEither(read: TextToRead, options: ParseOptions): Steps<readonly EntryReading[]> {
  const { context, finder } = options;
  const isTold = read.tokens.some(({ folded }) => read.words.subjects.has(folded));
  const list =
    context === 'recipe' || isTold
      ? undefined
      : (listOf(read) ?? (isNoted(read) ? { ...read, isList: true } : undefined));
  if (list === undefined || list.tokens.length === 0 || exactNameOf(read, finder) !== undefined)
    return yield* readEntries(read, finder);
  if (tellsOfParts(list)) return yield* readEntries(read, finder);
  const items = yield* readLattice(list);
  if (context === undefined && mayBeLine(list) && !joinsFoods(items, list) && !hasUnknownDish(items, list)) {
    const readings = yield* readEntries(read, finder);
    const [{ items: said, isLine }, ...others] = readings as [EntryReading, ...EntryReading[]];
    const isLineOnly = others.length === 0 && isLine && isOneFood(said[0]!);
    const isOther = () => isFilledDish(items) || countsVolumes(items) || passesOver(items, said[0]!, list);
    if (isLineOnly && !isOther()) return readings;
  }
  if (items.length === 0 || isYieldOf(items)) return yield* readEntries(read, finder);
  return [{ entry: list, items, isLine: false }];
}

/** Whether a text that has words of sentences is written as lists are: "B: oats w/ milk. L: soup". */
function isNoted({ tokens }: TextToRead): boolean {
  if (/^[.!?]$/.test(tokens.at(-1)?.text ?? '')) return false;
  return tokens.some(({ text, folded }) => text === ':' || text === '+' || SHORT_WITH.has(folded));
}

/** Minimum score of a name that names a food by itself. */
const SURE_NAME = 0.95;

/** The instruction that an item is only part of. */
function instructionWith(item: NamedItem, instructions: readonly Instruction[]): Instruction | undefined {
  const around = instructions.find(({ start, end }) => item.start >= start && item.end <= end);
  return around?.mayNameFood === true && isNamed(item) ? undefined : around;
}

function isNamed({ hits }: NamedItem): boolean {
  return (hits[0]?.score ?? 0) >= SURE_NAME;
}

/** Minimum probability of each of several foods; a lower one is enough if separators divide them and no word is left over. */
const MIN_PROBABILITY = 0.75;
const MIN_DIVIDED = 0.5;

/**
 * Whether the reading as a line loses one of several likely foods: the milk of "2 weetabix semi skimmed milk", the fries of
 * "burger, small fries".
 */
function passesOver(items: readonly LatticeItem[], { hits: [hit] }: NamedItem, read: TextToRead): boolean {
  const least = Math.min(...items.map((item) => (isNamed(item) ? (item.probability ?? 1) : 0)));
  if (items.length === 0 || least < MIN_DIVIDED) return false;
  const isOther = (hit?.score ?? 0) < SURE_NAME && hit?.document !== items[0]!.hits[0]?.document;
  if (items.length === 1) return isOther && least >= MIN_PROBABILITY;
  const areDivided = items.slice(1).every(({ link }) => link !== '');
  const isLikely = least >= MIN_PROBABILITY;
  if (isLikely && isOther) return true;
  return (isLikely || areDivided) && !beginsWithWeight(read) && namesAll(items, read);
}

function beginsWithWeight({ amounts }: TextToRead): boolean {
  return amounts[0]?.firstToken === 0 && amounts.some(isMeasured);
}

/** Whether each word of a text belongs to a food or its amount, or connects them. */
function namesAll(items: readonly LatticeItem[], { tokens, amounts, words, language }: TextToRead): boolean {
  const named = new Set(items.flatMap((item) => item.words.map(({ token }) => token)));
  const counted = tokensOfAmounts([...amounts, ...items.flatMap(({ amount = [] }) => amount)]);
  return tokens.every(
    ({ kind, folded }, at) =>
      kind !== 'word' ||
      named.has(at) ||
      counted.has(at) ||
      words.links.has(folded) ||
      SHORT_WITH.has(folded) ||
      language.sizes.has(tokens, at) ||
      language.of.has(tokens, at),
  );
}

function tokensOfAmounts(amounts: readonly Amount[]): ReadonlySet<number> {
  const counted = new Set<number>();
  for (const { firstToken, endToken } of amounts)
    for (let at = firstToken; at < endToken; at++) counted.add(at);
  return counted;
}

/** Whether a text is one dish that is named by its fillings: "egg and cress sandwich". */
function isFilledDish([first, ...others]: readonly LatticeItem[]): boolean {
  return others.length === 0 && (first?.included?.length ?? 0) > 1 && isNamed(first!);
}

/** Whether a text counts what follows its food as a volume: "3 Bier 0,5". */
function countsVolumes([first, ...others]: readonly LatticeItem[]): boolean {
  const each = first?.amount?.each;
  return others.length === 0 && each !== undefined && each.start >= first!.end;
}

/** Whether "and" joins foods that each have a name: "2 eggs and white rice". */
function joinsFoods(items: readonly NamedItem[], { words }: TextToRead): boolean {
  const isJoined = ({ link }: NamedItem) => words.listing.has(link) && !words.belonging.has(link);
  return items.length > 1 && items.slice(1).every(isJoined) && items.every(isNamed);
}

/** Whether the first food of a text is unknown and has a known companion: "8 loukoumades with honey". */
function hasUnknownDish([first, ...others]: readonly NamedItem[], { words }: TextToRead): boolean {
  return first?.hits.length === 0 && others.some((item) => words.belonging.has(item.link) && isNamed(item));
}

/** Minimum score of the name of a line's food; a line with a worse one, and without an amount, may be a list. */
const MIN_LINE_SCORE = 0.75;

function isOneFood({ hits, amount }: NamedItem): boolean {
  return hits.length > 0 && (amount !== undefined || hits[0]!.score >= MIN_LINE_SCORE);
}

/** Maximum amounts of a line of a recipe: "1 onion, 2 cups chopped". */
const MOST_OF_A_LINE = 2;

/** Whether a text without a stated context may be one line of a recipe: its amount, if any, comes first, and no sign adds foods. */
function mayBeLine({ amounts, tokens, language }: TextToRead): boolean {
  const counted = tokensOfAmounts(amounts);
  if (tokens.some(({ text }, at) => text === '+' && !counted.has(at))) return false;
  const [first, ...others] = amounts.filter((amount) => amount.aside !== true && !isArticle(amount));
  const begins = first === undefined || first.firstToken === 0 || language.leading.has(tokens, 0);
  return begins && others.length < MOST_OF_A_LINE;
}

/** Whether a text states ingredients, taste or total weight of a food, as sentences do. */
function tellsOfParts({ tokens, amounts, words, language }: TextToRead): boolean {
  let hasDish = false;
  const kind = stemOf(tokens.at(-1)!.folded);
  // "a turkey, ham and cheddar sandwich", "300 g of a mild, fruity smoothie"
  if (amounts[0]?.firstToken === 0 && amounts.every(isAtStart) && words.mixed.has(kind)) return true;
  return tokens.some(({ folded }, at) => {
    const stem = stemOf(folded);
    const isBeforeLink = words.belonging.has(tokens[at + 1]?.folded ?? '') || language.of.has(tokens, at + 1);
    const isPart = hasDish && (words.parts.has(stem) || words.carriers.has(stem));
    hasDish ||= words.dishes.has(stem) || words.filled.has(stem);
    return (
      isPart ||
      [words.composing, words.retelling, words.weighing, words.qualities].some((set) => set.has(folded)) ||
      (isBeforeLink && [words.filling, words.mixing, words.pairing].some((set) => set.has(folded)))
    );
  });
}

/** Whether an amount is the first one of a text, or the article after it: "300 g of a". */
function isAtStart({ firstToken }: Amount): boolean {
  return firstToken <= MAX_FIRST_TOKEN;
}
const MAX_FIRST_TOKEN = 3;

/** Reads the entries of a list one by one; other texts have one entry. */
function* readEntries(read: TextToRead, finder: FoodsToRead): Steps<readonly EntryReading[]> {
  const list = listOf(read);
  const isOne = list === undefined || exactNameOf(read, finder) !== undefined;
  const readings: EntryReading[] = [];
  for (const entry of isOne ? [read] : partsOf(list)) {
    const exact = exactItem(entry, finder);
    readings.push({
      entry,
      ...(exact === undefined ? yield* itemsOf(entry) : { items: [exact], isLine: true }),
    });
  }
  return readings;
}

/** The languages of a text, the likeliest first; only German writes words together. */
function languagesOf(
  tokens: readonly Token[],
  hasCompounds: boolean,
  stated: Language | undefined,
  names: FoodNames,
): readonly LanguageCode[] {
  if (stated !== undefined) return [stated.code];
  return hasCompounds ? ['de'] : likelyLanguages(tokens, ({ folded }) => names.languagesOf(stemOf(folded)));
}

/** Matches thousands with a point, as written where the comma is the decimal sign: nobody measures "1.500 ml" to a thousandth. */
const GROUPED = /(?<![\d.,])\d{1,3}\.\d{3} ?(?:g|gr|ml)\b/i;

/** Leaves out the letters that mark the items of a list: "a) 3 eggs". */
function withoutMarkers(tokens: readonly Token[]): readonly Token[] {
  const isMarker = ({ kind, text }: Token, at: number) =>
    kind === 'word' &&
    text.length === 1 &&
    (at === 0 || tokens[at - 1]!.kind === 'break') &&
    tokens[at + 1]?.text === ')' &&
    tokens[at + 1]!.joined;
  if (!tokens.some(isMarker)) return tokens;
  return tokens.filter((token, at) => !isMarker(token, at) && !(at > 0 && isMarker(tokens[at - 1]!, at - 1)));
}

/** Makes breaks of letters that name meals: "B oatmeal L tuna sandwich D pizza". */
function withMealBreaks(tokens: readonly Token[]): readonly Token[] {
  const mayBe = ({ kind, text }: Token, at: number) =>
    kind === 'word' &&
    /^\p{Lu}$/u.test(text) &&
    tokens[at + 1]?.joined === false &&
    /word|number/.test(tokens[at + 1]!.kind);
  const letters = tokens.filter(mayBe).map(({ text }) => text);
  const isMeals = ({ mealLetters }: { mealLetters: string }) =>
    letters.length > 1 &&
    new Set(letters).size === letters.length &&
    letters.every((letter) => mealLetters.includes(letter));
  if (!mayBe(tokens[0] ?? NO_TOKEN, 0) || !Object.values(TABLES).some(isMeals)) return tokens;
  return tokens.map((token, at) => (mayBe(token, at) ? { ...token, kind: 'break' } : token));
}
const NO_TOKEN: Token = { kind: 'break', text: '', folded: '', start: 0, end: 0, joined: false };

/** Splits a text into words and amounts. */
export function textToRead(
  text: string,
  { finder, language, budget = budgetOf(text) }: ParseOptions,
): TextToRead {
  const written = withMealBreaks(withoutMarkers(tokenise(text)));
  const divided = divideCompounds(written, finder.names);
  const likely = languagesOf(divided, divided !== written, language, finder.names);
  const possible = likely.length === 0 ? LANGUAGE_CODES : likely;
  const inflected = possible.length > 1 ? inflectedIn(divided, possible, finder.names) : undefined;
  const isGrouped = language === undefined && GROUPED.test(text);
  const isOpen = [0, LANGUAGE_CODES.length].includes(likely.length);
  const guess = isGrouped ? (isOpen ? 'de' : (likely.find((code) => code !== 'en') ?? 'en')) : likely[0];
  const spoken = language ?? languageOf(inflected ?? guess ?? 'en');
  const numbered = withPercentSigns(markNumberedNames(divided, text, spoken, finder.names), spoken);
  const tokens = toMeantWords(toKnownForms(numbered, spoken, finder.names), spoken);
  const names = finder.names.inLanguages(likely.reduce((bits, code) => bits | languageBit(code), 0));
  const words = mealWordsOf(spoken.code);
  const amounts = findAmounts(tokens, spoken);
  const isList = !describesMeal(tokens, words, amounts);
  return { text, tokens, amounts, language: spoken, words, names, budget, isList };
}

/** The words that repeat an item, and its less exact amount. */
function remarksOfItem({ mentions = [], lesserAmount }: NamedItem): Extent[] {
  return lesserAmount === undefined ? [...mentions] : [...mentions, ...extentsOf(lesserAmount)];
}

/** The words and the amount of an item, and the foods that the text describes as part of it. */
function coveredBy({ start, end, amount, included = [] }: NamedItem, hasFood: boolean): Extent[] {
  const parts = hasFood ? included : [];
  return [{ start, end }, ...parts, ...(amount === undefined ? [] : extentsOf(amount))];
}

function extentOf({ tokens }: TextToRead): Extent {
  return { start: tokens[0]!.start, end: tokens.at(-1)!.end };
}

/** An item for words without a known food. */
export function unknownItem({ text, start, end, amount }: IgnoredPart): ParsedItem {
  const common = { text, start, end, alternatives: [], candidates: [], confidence: 0, assumed: [] };
  return { ...common, ...(amount !== undefined && { amount }) };
}

interface EntryReading {
  readonly entry: TextToRead;
  readonly items: readonly NamedItem[];
  /** The entry names one food, and its other words are remarks. */
  readonly isLine: boolean;
}

/** The foods of a text without further entries: those of a meal, or the food of a recipe line. */
function* itemsOf(read: TextToRead): Steps<Omit<EntryReading, 'entry'>> {
  const inMeal = yield* mealItems(read);
  const isMeal = listsFoods(inMeal, read) || inMeal.some(({ parts }) => parts.areSaid);
  const line = isMeal ? undefined : recipeItem(read, inMeal.length < 2 || isYieldOf(inMeal));
  return { items: line ?? inMeal, isLine: line !== undefined };
}

/** Whether the text is like "juice of a lemon", in which the juice is not a food of its own. */
function isYieldOf([first, ...others]: readonly MealItem[]): boolean {
  return (
    others.length === 1 && first!.amount === undefined && first!.words.every(({ stem }) => isYield(stem))
  );
}

function mealItems(read: TextToRead): Steps<MealItem[]> {
  const { amounts, names, budget } = read;
  return new MealReader(read, names, budget).read(new PhraseReader(read, names).read(amounts));
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
