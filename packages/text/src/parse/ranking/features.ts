import { wordsOfAll } from '../../meal-words.ts';
import type { FoodNames, NameMatch, QueryWord } from '../food-names.ts';
import { isShippedIn, popularityIn, TRAITS, type Trait } from '../names/traits.ts';
import { matchState, type RequestedState } from './state.ts';
import WEIGHTS from './weights.json' with { type: 'json' };

export type Feature = keyof typeof WEIGHTS;
/** Features that speak for or against a food, each with its weight in `weights.json`. */
export type Features = Readonly<FeatureValues>;
/** Features while they are collected. */
export type FeatureValues = Partial<Record<Feature, number>>;

const MAX_POPULARITY = 255;
const MAX_LOST = 2;
const MAX_FOREIGN = 3;
const MAX_LATER = 4;
const MAX_ADJACENT = 3;
/** Traits that reduce the score of a food unless the text states them. */
const UNASKED: readonly (Trait & Feature)[] = [
  'fried',
  'canned',
  'dried',
  'preserved',
  'frozen',
  'added',
  'reduced',
  'special',
  'powder',
];

const DEPENDENT = wordsOfAll(({ dependent }) => dependent);

const OTHER_TRAITS = UNASKED.reduce((bits, trait) => bits | TRAITS[trait], 0);

export interface ComparedFood {
  readonly match: NameMatch;
  /** Stem of the head of the text's words. */
  readonly head: string | undefined;
  /** Stems of the words after the head: "with milk". */
  readonly additions: ReadonlySet<string>;
  /** See `factsOf`. */
  readonly facts: number;
}

/** The features of a food for the words of a text, without that of its amount. */
export function featuresOf(
  { match, head, additions, facts }: ComparedFood,
  asked: RequestedState,
  names: Pick<FoodNames, 'isFoodWord' | 'likenessOf'>,
): FeatureValues {
  const { modifiers, lostFoods, lostKinds } = countLost(match.lost, additions, names);
  const isDependent = head !== undefined && DEPENDENT.has(head);
  const { otherState, saidState, unusualState } = matchState(facts, asked);
  // Zeros are omitted, because sums are computed for hundreds of candidates.
  const features: FeatureValues = {};
  const add = (name: Feature, value: number) => {
    if (value !== 0) features[name] = value;
  };
  add('fit', match.fit);
  add('wholeFit', match.wholeFit);
  if (match.head === 'first') features.headFirst = 1;
  else if (match.head === 'elsewhere') features.headElsewhere = 1;
  else if (match.head === 'absent') features.headAbsent = 1;
  if (!match.hasKind) features.otherKind = 1;
  add('lostFood', Math.min(MAX_LOST, lostFoods));
  add('lostOther', Math.min(MAX_LOST, modifiers - lostFoods));
  add('lostAddition', Math.min(MAX_LOST, match.lost.length - modifiers));
  if (isDependent) add('lostOfDependent', Math.min(MAX_LOST, lostKinds));
  add('foreign', Math.min(MAX_FOREIGN, match.foreign));
  add('later', Math.min(MAX_LATER, match.later));
  add('adjacent', Math.min(MAX_ADJACENT, match.adjacent));
  if (match.isAlias) features.alias = 1;
  else if (match.foreign + match.later === 0) features.exactName = 1;
  if (match.language === 'second') features.secondLanguage = 1;
  else if (match.language === 'other') features.otherLanguage = 1;
  add('saidState', saidState);
  add('otherState', otherState);
  add('unusualState', unusualState);
  add('popularity', popularityIn(facts) / MAX_POPULARITY);
  if (isShippedIn(facts)) features.shipped = 1;
  if ((facts & TRAITS.unspecified) !== 0) features.unspecified = 1;
  if ((facts & OTHER_TRAITS) !== 0) addTraits(features, facts, asked.said);
  return features;
}

function addTraits(features: FeatureValues, facts: number, said: number): void {
  for (const trait of UNASKED) {
    if ((facts & TRAITS[trait]) === 0) continue;
    if ((said & TRAITS[trait]) === 0) features[trait] = 1;
    else features.saidTrait = (features.saidTrait ?? 0) + 1;
  }
}

/**
 * Counts the words of the text that a name lacks: naming words, words of other foods, and words that are of
 * foods or unknown.
 */
function countLost(
  lost: readonly QueryWord[],
  additions: ReadonlySet<string>,
  names: Pick<FoodNames, 'isFoodWord' | 'likenessOf'>,
) {
  const counts = { modifiers: 0, lostFoods: 0, lostKinds: 0 };
  for (const { stem, weight } of lost) {
    if (weight < MIN_WEIGHT || additions.has(stem)) continue;
    const isFood = names.isFoodWord(stem);
    counts.modifiers++;
    if (isFood) counts.lostFoods++;
    if (isFood || names.likenessOf(stem) === 0) counts.lostKinds++;
  }
  return counts;
}

/** Minimum weight of a word that names the food. */
const MIN_WEIGHT = 0.3;

/** The weighted sum of features: the logarithm of the odds against other foods. */
export function rankOf(features: Features, weights: Readonly<Record<Feature, number>> = WEIGHTS): number {
  let sum = 0;
  for (const name in features) sum += weights[name as Feature] * features[name as Feature]!;
  return sum;
}
