import type { Food } from '@larder/core/food.ts';
import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { Language } from '../language.ts';
import type { MealWords } from '../meal-words.ts';
import type { FoodsToRead } from './caching-finder.ts';
import type { FoodNames, NameMatch, QueryWord } from './food-names.ts';
import type { Described } from './grams/described.ts';
import { weighAmount } from './grams/to-grams.ts';
import type { MealItem } from './meal-item.ts';
import type { NameHit } from './name-look-ups.ts';
import { factsOf, readTraits, TRAITS, traitOfWord } from './names/traits.ts';
import { isMeasured, type PhraseWord } from './phrases/phrase.ts';
import {
  type FoodCandidate,
  hasOwnWords,
  isProduct,
  mayNameBrand,
  statesBrand,
  withOddProductsLower,
} from './ranking/confidence.ts';
import { type Features, type FeatureValues, featuresOf, rankOf } from './ranking/features.ts';
import { FOUND_BY_PERCENT, withFoodAsHead, withLeadingHead, withoutPercent } from './ranking/item-words.ts';
import { percentGap, type StatedPercent, statedPercent } from './ranking/percent.ts';
import { withMeantForm } from './ranking/raw-forms.ts';
import { withMoreServings, withOtherServings } from './ranking/shared-servings.ts';
import { formStatedBy, type RequestedState, statedOf, wordsOfState } from './ranking/state.ts';
import type { ReadingBudget } from './reading-budget.ts';
import type { TextContext } from './structure/context.ts';
import { isPlural } from './word-forms.ts';

/** Maximum foods found by the head of a name alone: "egg" of "pasture-raised egg". */
const FOUND_BY_HEAD = 10;
/** Maximum distance in score from the best name for foods whose servings may match the amount better. */
const NEAR = 0.45;
/** Maximum foods whose amounts are weighed, which takes longer than comparing names. */
const MAX_WEIGHED = 8;
/** Maximum foods found with another state. */
const FOUND_SIBLINGS = 6;
/** Minimum score of a name that matches the text. */
const MIN_SCORE = 0.35;
/** A generic food with this score makes searching products unnecessary. */
const GOOD_SCORE = 0.9;
/** Score of a custom food of exactly these words. */
const CUSTOM_FOOD_SCORE = 1.5;
/** Value of such a food, higher than all others. */
export const CUSTOM_FOOD_VALUE = 100;
const SEARCHED = 5;
const MAX_SEARCH_LENGTH = 100;

/** The sources of candidates for one text. */
export interface Sources {
  readonly finder: FoodsToRead;
  readonly names: FoodNames;
  readonly eaten: ReadonlySet<string>;
  readonly text: string;
  readonly budget: ReadingBudget;
  readonly words: MealWords;
  readonly language: Language;
  /** Whether foods are described as bought or as eaten. */
  readonly context: TextContext;
  /** Whether the context is stated, or signs in the text show it, so that it implies the state of a food. */
  readonly impliesState: boolean;
}

/** Whether products are searched, because no generic food has a good name. */
export function asksForProducts({ hits, words }: MealItem, { budget, names }: Sources): boolean {
  return (
    budget.searches > 0 &&
    budget.work.left > 0 &&
    ((hits[0]?.score ?? 0) < GOOD_SCORE || mayNameBrand(words, names))
  );
}

/** The foods that an item may mean, best first. */
export function candidatesOf(said: MealItem, sources: Sources): readonly FoodCandidate[] {
  const { finder, names, text } = sources;
  const isExact = said.hits.some((hit) => hit.isExact === true);
  const percent = isExact
    ? undefined
    : statedPercent(`${text.slice(said.start, said.end).replace(/\d$/, '$&%')} ${said.remarks?.text ?? ''}`);
  const led = withLeadingHead(said, text);
  const item = percent === undefined ? withFoodAsHead(led) : withoutPercent(led, names);
  const described = describedBy(item, sources);
  const asked = askedState(item, sources);
  const additions = led === said ? additionsOf(item.words) : NO_WORDS;
  const head = item.words.find(({ isHead }) => isHead === true)?.stem;
  const compare = (match: NameMatch, facts: number) =>
    featuresOf({ match, head, additions, facts }, asked, names);
  const compared = comparedWith(item, asked, compare, sources);
  const most = percent === undefined ? MAX_WEIGHED : FOUND_BY_PERCENT;
  const ranked = bestOf(compared, most, (food) => !item.parts.has(food.name)).map((each) => ({
    ...each,
    features: { ...each.features, ...ownFeatures(each.food, item, percent, sources) },
    amount: weighAmount(each.food, described),
  }));
  const candidates = withOddProductsLower(ranked, item.words);
  const best = Math.max(...candidates.map(({ features }) => features.wholeFit ?? 0));
  const isNear = ({ features }: FoodCandidate) => (features.wholeFit ?? 0) > best - NEAR;
  const near = candidates.filter(isNear);
  const served = candidates.map((each) => withMoreServings(each, near, described));
  const nearServed = served.filter(isNear);
  const weighed = served
    .map((each) => withAmountFit(withOtherServings(each, nearServed)))
    .sort((a, b) => b.value - a.value);
  const stated = formStatedBy(asked);
  const meant =
    stated !== undefined || (sources.impliesState && statedOf(asked) === 0)
      ? withMeantForm(weighed, {
          ...{ item, finder, context: sources.context, stated },
          weigh: (food) => weighAmount(food, described),
        })
      : weighed;
  const custom = finder.findCustomFood?.(text.slice(item.start, item.end));
  if (custom === undefined) return meant;
  const own = { food: custom, score: CUSTOM_FOOD_SCORE, features: {}, value: CUSTOM_FOOD_VALUE };
  return [{ ...own, amount: weighAmount(custom, described) }, ...meant];
}

/** The possible foods, in no order. */
function comparedWith(
  item: MealItem,
  asked: RequestedState,
  compare: (match: NameMatch, facts: number) => FeatureValues,
  sources: Sources,
): ComparedFood[] {
  const { finder, names, text, budget } = sources;
  const compared: ComparedFood[] = [];
  for (const { document, score, words, isExact } of hitsOf(item, names)) {
    const match = names.matchOf(words ?? item.words, document);
    if (match === undefined) continue;
    const features = compare(match, names.factsOf(document));
    if (isExact === true) features.exact = 1;
    compared.push({ food: () => names.foodAt(document), score, features, value: rankOf(features) });
  }
  for (const { document, score, words, features: own } of siblingsOf(compared, asked, names)) {
    const match = names.matchOf(words, document);
    if (match === undefined || match.lost.length > 0) continue;
    // This name was derived from the food's own, so it fits no better.
    const [fit, wholeFit] = [Math.min(match.fit, own.fit ?? 0), Math.min(match.wholeFit, own.wholeFit ?? 0)];
    const features = {
      ...compare({ ...match, fit, wholeFit, ...sameName(own) }, names.factsOf(document)),
      ...Object.fromEntries(OF_LOST_WORDS.map((name) => [name, own[name] ?? 0])),
      exactName: 0,
    };
    compared.push({ food: () => names.foodAt(document), score, features, value: rankOf(features) });
  }
  if (asksForProducts(item, sources)) {
    budget.searches--;
    const query = text.slice(item.start, Math.min(item.end, item.start + MAX_SEARCH_LENGTH));
    for (const food of finder.search(query, SEARCHED, { work: budget.work })) {
      const match = names.matchOf(item.words, food);
      if (match === undefined || match.score < MIN_SCORE) continue;
      const features = compare(match, factsOf({ ...food, energy: food.per100.energy }));
      compared.push({ food: () => food, score: match.score, features, value: rankOf(features) });
    }
  }
  return compared;
}

function describedBy(
  { amount, size, described, words, host }: MealItem,
  { language, names }: Sources,
): Described {
  return {
    host,
    amount,
    size: amount?.size ?? size,
    words: described,
    isPlural:
      amount === undefined &&
      size === undefined &&
      words.some(
        ({ isHead, written }, at) =>
          isHead === true &&
          written !== undefined &&
          isPlural(written, words[at - 1]?.written, language, names),
      ),
    name: new Set(words.filter(({ weight }) => weight > 0).map(({ stem }) => stem)),
    language,
  };
}

const NO_WORDS: ReadonlySet<string> = new Set();

/** Stems of the words after the head. */
function additionsOf(words: readonly PhraseWord[]): ReadonlySet<string> {
  const head = words.findIndex(({ isHead }) => isHead === true);
  return new Set(head === -1 ? [] : words.slice(head + 1).map(({ stem }) => stem));
}

/** Features of the text's words that a food's names lack; they are equal for the food in another state. */
const OF_LOST_WORDS = [
  'lostFood',
  'lostOther',
  'lostAddition',
  'lostOfDependent',
  'headElsewhere',
  'headAbsent',
] as const;

/** Copies the features of a name for the name of the food in another state. */
function sameName({
  alias,
  secondLanguage,
  otherLanguage,
}: Features): Pick<NameMatch, 'isAlias' | 'language'> {
  const language = otherLanguage === 1 ? 'other' : secondLanguage === 1 ? 'second' : 'own';
  return { isAlias: alias === 1, language };
}

/** The best food in the requested state, if it exists in another one: "White rice, dry" for "Reis, ungekocht". */
function siblingsOf(
  compared: readonly ComparedFood[],
  asked: RequestedState,
  names: FoodNames,
): readonly (SearchHit & { readonly words: readonly QueryWord[]; readonly features: Features })[] {
  let best: ComparedFood | undefined;
  for (const each of compared) if (best === undefined || each.value > best.value) best = each;
  if (best === undefined || best.features.exact === 1) return [];
  const { otherState = 0, unusualState = 0 } = best.features;
  if (otherState === 0 && (asked.context === 'meal' || unusualState === 0)) return [];
  const words = wordsOfState(best.food().name, asked);
  if (words === undefined) return [];
  const { features } = best;
  return names.find(words, FOUND_SIBLINGS).map((hit) => ({ ...hit, words, features }));
}

/** Reads a food only if it is among the best. */
interface ComparedFood extends Pick<FoodCandidate, 'score' | 'features' | 'value'> {
  readonly food: () => Food;
}

/** The best foods without repetitions. */
function bestOf(
  compared: readonly ComparedFood[],
  most: number,
  mayBe: (food: Food) => boolean,
): Omit<FoodCandidate, 'amount'>[] {
  const best = new Map<string, Omit<FoodCandidate, 'amount'>>();
  for (const each of compared.toSorted((a, b) => b.value - a.value)) {
    if (best.size === most) break;
    const food = each.food();
    if (!best.has(food.id) && mayBe(food)) best.set(food.id, { ...each, food });
  }
  return [...best.values()];
}

/** A brand that the text names along with words of generic foods. */
const BRAND_ALONE = 0.3;

/** Features that need the food itself. */
function ownFeatures(
  food: Food,
  { words }: MealItem,
  percent: StatedPercent | undefined,
  { eaten, names }: Sources,
): Features {
  const isNamed = food.brand !== undefined && statesBrand(words, food);
  const features: FeatureValues = {};
  if (eaten.has(food.id)) features.favourite = 1;
  if (food.brand !== undefined && !isNamed) features.product = 1;
  if (isProduct(food) && hasOwnWords(words, food, names)) features.brand = 1;
  else if (isNamed) features.brand = BRAND_ALONE;
  if (percent !== undefined) {
    features.percentGap = percentGap(percent, food);
    // "0 %" asks for food with less fat.
    if (percent.of === 'fat' && features.percentGap <= 0) features.reduced = 0;
  }
  return features;
}

/** The found foods, with those found by the head alone if the former may be of another kind. */
function hitsOf({ words, hits }: MealItem, names: FoodNames): readonly NameHit[] {
  const said = hits[0]?.words ?? words;
  const head = said.filter(({ isHead }) => isHead === true);
  if (head.length === 0 || head.length === said.length || isGood(hits[0], said, names)) return hits;
  const others = names.find(head, FOUND_BY_HEAD);
  return [...hits, ...others.map((hit) => ({ ...hit, ...(hits[0]?.words && { words: said }) }))];
}

/** Whether a name is of the kind of food that the words name. */
function isGood(hit: NameHit | undefined, words: readonly QueryWord[], names: FoodNames): boolean {
  const match = hit && names.matchOf(words, hit.document);
  if (match === undefined) return false;
  return match.hasKind && match.head !== 'absent' && match.lost.length <= 1;
}

const HEATED = TRAITS.cooked | TRAITS.fried;
/** Words of a remark that states only a state: ", cooked", "(freshly cooked)". */
const MAX_STATE_WORDS = 2;
/** Maximum characters before a food that may contain its state: "1 cup cooked quinoa". */
const MAX_BEFORE = 25;

function askedState(
  { amount, start, end, described, remarks }: MealItem,
  { text, context }: Sources,
): RequestedState {
  let { bits } = readTraits(text.slice(start, end));
  const { bits: remarked } = readTraits(remarks?.text ?? '');
  if (context === 'meal') {
    bits |= remarked;
    for (const word of described) bits |= traitOfWord(word);
  } else {
    // "spaghetti, cooked according to the packet" is weighed before cooking; "rice, cooked" and "cooked rice"
    // after.
    const isState = (remarks?.stems.length ?? 0) <= MAX_STATE_WORDS;
    const before = /[^,;(\d\n]*$/.exec(text.slice(Math.max(0, start - MAX_BEFORE), start))![0];
    bits |= (isState ? remarked : remarked & ~HEATED) | readTraits(before).bits;
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
