import type { Food, Serving } from '@larder/core/food.ts';
import {
  type FoodCandidate,
  isProduct,
  mayNameBrand,
  saysBrand,
  saysOwnWords,
  withOddProductsLower,
} from './confidence.ts';
import type { FoodNames, NameMatch } from './food-names.ts';
import { type Described, type FoodAmount, TYPICAL_DENSITY, weighAmount } from './grams/to-grams.ts';
import type { MealItem } from './meal-item.ts';
import type { NameHit } from './name-look-ups.ts';
import { nameWords } from './names/name-words.ts';
import { factsOf, readTraits, TRAITS, traitOfWord } from './names/traits.ts';
import type { MealWords } from './phrases/meal-words.ts';
import { isMeasured, type PhraseWord } from './phrases/phrase.ts';
import { type Features, featuresOf, rankOf } from './ranking/features.ts';
import type { AskedState, TextContext } from './ranking/state.ts';
import type { ReadingBudget } from './reading-budget.ts';
import type { FoodsToRead } from './remembering-finder.ts';

/** Foods found by the head of a name alone: "egg" of "pasture-raised egg". */
const FOUND_BY_HEAD = 10;
/** Maximum distance from the best name of a food whose servings may weigh another. */
const NEAR = 0.45;
/** Foods whose amounts are weighed, which takes longer than comparing names. */
const MAX_WEIGHED = 8;
/** Minimum score of a name that matches the text. */
const MIN_SCORE = 0.35;
/** A generic food with this score makes searching products unnecessary. */
const GOOD_SCORE = 0.9;
/** Score of a custom food of exactly these words. */
const CUSTOM_FOOD_SCORE = 1.5;
/** Value of such a food, above all others. */
export const CUSTOM_FOOD_VALUE = 100;
const SEARCHED = 5;
const MAX_SEARCH_LENGTH = 100;
const MACRONUTRIENTS = ['energy', 'protein', 'carbohydrates', 'fat'] as const;
const SAME_SHARE = 0.01;
/** Minimum gain in fit for taking servings of another table. */
const BETTER_FIT = 0.3;

/** The sources of candidates for one text. */
export interface Sources {
  readonly finder: FoodsToRead;
  readonly names: FoodNames;
  readonly eaten: ReadonlySet<string>;
  readonly text: string;
  readonly budget: ReadingBudget;
  readonly words: MealWords;
  readonly context: TextContext;
}

/** Whether products are searched because no generic food has a good name. */
export function asksForProducts({ hits, words }: MealItem, { budget, names }: Sources): boolean {
  return (
    budget.searches > 0 &&
    budget.work.left > 0 &&
    ((hits[0]?.score ?? 0) < GOOD_SCORE || mayNameBrand(words, names))
  );
}

/** The foods that an item may mean, best first. */
export function candidatesOf(said: MealItem, sources: Sources): FoodCandidate[] {
  const item = { ...said, words: withFoodAsHead(said.words) };
  const { finder, names, text, budget } = sources;
  const described = {
    amount: item.amount,
    words: item.described,
    name: new Set(item.words.filter(({ weight }) => weight > 0).map(({ stem }) => stem)),
  };
  const asked = askedState(item, sources);
  const additions = additionsOf(item.words);
  const compare = (match: NameMatch, facts: number) => featuresOf({ match, additions, facts }, asked, names);
  const compared: ComparedFood[] = [];
  for (const { document, score, words, isExact } of hitsOf(item, names)) {
    const match = names.matchOf(words ?? item.words, document);
    if (match === undefined) continue;
    const features = { ...compare(match, names.factsOf(document)), exact: Number(isExact === true) };
    compared.push({ food: () => names.foodAt(document), score, features, value: rankOf(features) });
  }
  if (asksForProducts(item, sources)) {
    budget.searches--;
    const query = text.slice(item.start, Math.min(item.end, item.start + MAX_SEARCH_LENGTH));
    for (const food of finder.search(query, SEARCHED, { work: budget.work })) {
      const score = names.scoreOf(item.words, food);
      const match = score < MIN_SCORE ? undefined : names.matchOf(item.words, food);
      if (match === undefined) continue;
      const features = compare(match, factsOf({ ...food, energy: food.per100.energy }));
      compared.push({ food: () => food, score, features, value: rankOf(features) });
    }
  }
  const ranked = bestOf(compared, (food) => !item.parts.has(food.name))
    .map((each) => ({ ...each, features: { ...each.features, ...ownFeatures(each.food, item, sources) } }))
    .map((each) => ({ ...each, amount: weighAmount(each.food, described) }));
  const candidates = withOddProductsLower(ranked, item.words);
  const best = Math.max(...candidates.map(({ features }) => features.wholeFit ?? 0));
  const isNear = ({ features }: FoodCandidate) => (features.wholeFit ?? 0) > best - NEAR;
  const near = candidates.filter(isNear);
  const weighed = candidates
    .map((each) => withMoreServings(each, near, described))
    .map((each, _, all) => withOtherServings(each, all.filter(isNear)))
    .map((each) => withAmountFit(each))
    .sort((a, b) => b.value - a.value);
  const custom = finder.findCustomFood?.(text.slice(item.start, item.end));
  if (custom === undefined) return weighed;
  const own = { food: custom, score: CUSTOM_FOOD_SCORE, features: {}, value: CUSTOM_FOOD_VALUE };
  return [{ ...own, amount: weighAmount(custom, described) }, ...weighed];
}

/** Stems of the words after the head. */
function additionsOf(words: readonly PhraseWord[]): ReadonlySet<string> {
  const head = words.findIndex(({ isHead }) => isHead === true);
  return new Set(head === -1 ? [] : words.slice(head + 1).map(({ stem }) => stem));
}

/** A food that is read only if it is among the best. */
interface ComparedFood extends Pick<FoodCandidate, 'score' | 'features' | 'value'> {
  readonly food: () => Food;
}

/** The best foods, each once. */
function bestOf(
  compared: readonly ComparedFood[],
  mayBe: (food: Food) => boolean,
): Omit<FoodCandidate, 'amount'>[] {
  const best = new Map<string, Omit<FoodCandidate, 'amount'>>();
  for (const each of compared.toSorted((a, b) => b.value - a.value)) {
    if (best.size === MAX_WEIGHED) break;
    const food = each.food();
    if (!best.has(food.id) && mayBe(food)) best.set(food.id, { ...each, food });
  }
  return [...best.values()];
}

/** Features that need the food itself. */
function ownFeatures(food: Food, { words }: MealItem, { eaten, names }: Sources): Features {
  const isNamed = food.brand !== undefined && saysBrand(words, food);
  return {
    favourite: Number(eaten.has(food.id)),
    product: Number(food.brand !== undefined && !isNamed),
    brand: Number(isNamed || (isProduct(food) && saysOwnWords(words, food, names))),
  };
}

/** Nouns for parts and shapes, after the food that they are of: "mint leaves", "lasagne sheets", "walnut halves". */
const PARTS: ReadonlySet<string> = new Set(
  'leaf leave stem half halve floret stick sheet tip stalk sprig cube chunk slice piece wedge strip kernel segment frond needle pod bulb clove head spear ring round blatt blatter stange stiel zehe'.split(
    ' ',
  ),
);
/** Factor for the weight of such a noun. */
const PART_FACTOR = 0.2;
const MIN_HEAD_WEIGHT = 0.5;

/** Makes the word before a part the head: "mint" of "mint leaves". */
function withFoodAsHead(words: readonly PhraseWord[]): readonly PhraseWord[] {
  const at = words.findIndex(({ isHead }) => isHead === true);
  if (at < 1 || !PARTS.has(words[at]!.stem)) return words;
  const food = words.slice(0, at).findLastIndex(({ weight }) => weight >= MIN_HEAD_WEIGHT);
  if (food === -1) return words;
  return words.map((word, index) =>
    index === at
      ? { ...word, isHead: false, weight: word.weight * PART_FACTOR }
      : index === food
        ? { ...word, isHead: true }
        : word,
  );
}

/** The foods that a look-up found, and where they may be of another kind, those that the head of the name alone finds. */
function hitsOf({ words, hits }: MealItem, names: FoodNames): readonly NameHit[] {
  const said = hits[0]?.words ?? words;
  const head = said.filter(({ isHead }) => isHead === true);
  if (head.length === 0 || head.length === said.length || isGood(hits[0], said, names)) return hits;
  const others = names.find(head, FOUND_BY_HEAD);
  return [...hits, ...others.map((hit) => ({ ...hit, ...(hits[0]?.words && { words: said }) }))];
}

/** Whether a name is of the kind that the words name. */
function isGood(hit: NameHit | undefined, words: readonly PhraseWord[], names: FoodNames): boolean {
  const match = hit && names.matchOf(words, hit.document);
  if (match === undefined) return false;
  return match.hasKind && match.head !== 'absent' && match.lost.length <= 1;
}

/** A remark of one word: ", cooked". */
const ONLY_STATE = /^[,\s(]*[\p{L}\p{M}]+[)\s]*$/u;
const HEATED = TRAITS.cooked | TRAITS.fried;

function askedState({ amount, start, end, described }: MealItem, { text, context }: Sources): AskedState {
  let { bits } = readTraits(text.slice(start, end));
  for (const word of described) bits |= traitOfWord(word);
  if (context === 'recipe') {
    bits = readTraits(text.slice(0, end)).bits;
    // "spaghetti, cooked according to the packet" is weighed before; "rice, cooked" and "rice (cooked)" after.
    const rest = text.slice(end);
    const { bits: later } = readTraits(rest);
    bits |= ONLY_STATE.test(rest) ? later : later & ~HEATED;
  }
  const inCan = amount?.unit === 'can' || amount?.container === 'can';
  return {
    said: bits | (inCan ? TRAITS.canned : 0),
    context,
    isMeasured: amount !== undefined && isMeasured(amount),
  };
}

function withAmountFit(candidate: FoodCandidate): FoodCandidate {
  const { amount } = candidate;
  const features = {
    ...candidate.features,
    amountFit: amount?.fit ?? -1,
    // "1 oz, dry, yields" weighs the dry food as cooked.
    ...(amount !== undefined && /\byields?\b/.test(amount.source) && { otherState: 0, unusualState: 0 }),
  };
  return { ...candidate, features, value: rankOf(features) };
}

/** Weighs the amount by the food's own servings and those of the same food in a table that states more of them. */
function withMoreServings(
  candidate: FoodCandidate,
  all: readonly FoodCandidate[],
  described: Described,
): FoodCandidate {
  const { food } = candidate;
  const [first, ...others] = food.servings;
  const more: Serving[] = [];
  for (const { food: other } of all) {
    if (other.servings.length > food.servings.length && isSameFood(food, other)) more.push(...other.servings);
  }
  if (more.length === 0) return candidate;
  return {
    ...candidate,
    amount: weighAmount({ ...food, servings: [first, ...others, ...more] }, described),
  };
}

/**
 * Weighs the amount by the servings of the same food in another table, or the density of a similar one, if its own
 * servings do not match the text.
 */
function withOtherServings(candidate: FoodCandidate, all: readonly FoodCandidate[]): FoodCandidate {
  const { food } = candidate;
  let { amount } = candidate;
  for (const { food: other, amount: offered } of all) {
    if (other === food || offered === undefined || offered.fit < (amount?.fit ?? -1)) continue;
    const isBetter = offered.fit >= (amount?.fit ?? -1) + BETTER_FIT;
    if (isSameFood(food, other)) {
      const isRicher = other.servings.length > food.servings.length && hasSameWords(food, other);
      if (isBetter || isRicher) {
        amount = { ...offered, source: isServing(offered) ? sourceOf(offered, other) : offered.source };
      }
    } else if (isBetter && offered.fit >= 1 && amount !== undefined && tellsNothing(food, amount)) {
      amount = { ...offered, source: sourceOf(offered, other), isAssumed: true };
    }
  }
  return amount === candidate.amount ? candidate : { ...candidate, amount };
}

function sourceOf({ source }: FoodAmount, { name }: Food): string {
  return `${source} of ${name}`;
}

/** Whether the amount rests on an assumed density, or on a serving such as "100 g". */
function tellsNothing({ servings }: Food, amount: FoodAmount): boolean {
  return (
    amount.source === TYPICAL_DENSITY || (amount.fit === 0 && servings.length === 1 && isServing(amount))
  );
}

function isServing({ source }: FoodAmount): boolean {
  return source.startsWith('serving ');
}

function hasSameWords(one: Food, other: Food): boolean {
  const [words, others] = [one, other].map(({ name }) => new Set(nameWords(name).map(({ stem }) => stem)));
  return words!.size === others!.size && [...words!].every((word) => others!.has(word));
}

/** Whether two foods of different tables are the same: they have equal nutrients under different names. */
function isSameFood(one: Food, other: Food): boolean {
  if (one.basis !== other.basis) return false;
  return MACRONUTRIENTS.every(
    (key) => Math.abs(one.per100[key] - other.per100[key]) <= SAME_SHARE * one.per100[key],
  );
}
