import type { Food } from '@larder/core/food.ts';
import type { FoodNames, NameMatch, QueryWord } from '../food-names.ts';
import { TRAITS, type Trait } from '../names/traits.ts';
import { type AskedState, matchState } from './state.ts';
import WEIGHTS from './weights.json' with { type: 'json' };

export type Feature = keyof typeof WEIGHTS;
/** What speaks for or against a food, each with its weight in `weights.json`. */
export type Features = Readonly<Partial<Record<Feature, number>>>;

const MAX_POPULARITY = 255;
const MAX_LOST = 2;
const MAX_FOREIGN = 3;
const MAX_LATER = 4;
/** Traits that count against a food unless the text states them. */
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

export interface ComparedFood {
  readonly food: Pick<Food, 'popularity' | 'id'>;
  readonly match: NameMatch;
  readonly traits: number;
  readonly isProduct: boolean;
  readonly isFavourite: boolean;
}

/** The features of a food for the words of a text, beside that of its amount. */
export function featuresOf(
  { food, match, traits, isProduct, isFavourite }: ComparedFood,
  asked: AskedState,
  names: Pick<FoodNames, 'isFoodWord'>,
): Features {
  const lostFoods = countOf(match.lost, (word) => names.isFoodWord(word.stem));
  const features: Partial<Record<Feature, number>> = {
    fit: match.fit,
    headElsewhere: Number(match.head === 'elsewhere'),
    headAbsent: Number(match.head === 'absent'),
    otherKind: Number(!match.hasKind),
    lostFood: Math.min(MAX_LOST, lostFoods),
    lostOther: Math.min(MAX_LOST, match.lost.length - lostFoods),
    foreign: Math.min(MAX_FOREIGN, match.foreign),
    later: Math.min(MAX_LATER, match.later),
    alias: Number(match.isAlias),
    ...matchState(traits, asked),
    popularity: food.popularity / MAX_POPULARITY,
    shipped: Number(food.id.startsWith('starter:')),
    unspecified: Number((traits & TRAITS.unspecified) !== 0),
    product: Number(isProduct),
    favourite: Number(isFavourite),
  };
  for (const trait of UNASKED) {
    features[trait] = Number((traits & TRAITS[trait]) !== 0 && (asked.said & TRAITS[trait]) === 0);
  }
  return features;
}

function countOf(words: readonly QueryWord[], is: (word: QueryWord) => boolean): number {
  return words.filter((word) => word.weight >= MIN_WEIGHT && is(word)).length;
}

/** Minimum weight of a word that tells of the food. */
const MIN_WEIGHT = 0.3;

/** The weighted sum of features: the logarithm of the odds against other foods. */
export function rankOf(features: Features): number {
  let sum = 0;
  for (const [name, value] of Object.entries(features)) sum += WEIGHTS[name as Feature] * value;
  return sum;
}
