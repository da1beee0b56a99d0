import type { FoodNames, NameMatch } from '../food-names.ts';
import { isShippedIn, popularityIn, TRAITS, type Trait } from '../names/traits.ts';
import { type AskedState, matchState } from './state.ts';
import WEIGHTS from './weights.json' with { type: 'json' };

export type Feature = keyof typeof WEIGHTS;
/** What speaks for or against a food, each with its weight in `weights.json`. */
export type Features = Readonly<Partial<Record<Feature, number>>>;

const MAX_POPULARITY = 255;
const MAX_LOST = 2;
const MAX_FOREIGN = 3;
const MAX_LATER = 4;
const MAX_ADJACENT = 3;
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

/** Heads that name a food only with the word before: "ginger oil" is no oil of olives, "skate wing" no wing of a chicken. */
const DEPENDENT: ReadonlySet<string> = new Set(
  'oil paste sauce flour powder milk butter cream cheese vinegar syrup juice stock broth dashi jam jelly puree starch sugar salt seed root bone wing breast thigh leg fillet steak chop rib cutlet liver egg leaf bean berry nut tea water bread cake soup salad cone extract huile aceite olio oleo azeite farine harina farina farinha vinaigre vinagre aceto sucre azucar zucchero acucar lait leche latte leite jus zumo succo suco sauce salsa molho creme crema beurre mantequilla burro manteiga pate concentre concentrado concentrato puree sirop jarabe sciroppo xarope noix'.split(
    ' ',
  ),
);

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

/** The features of a food for the words of a text, beside that of its amount. */
export function featuresOf(
  { match, head, additions, facts }: ComparedFood,
  asked: AskedState,
  names: Pick<FoodNames, 'isFoodWord' | 'likenessOf'>,
): Features {
  const modifiers = match.lost.filter((word) => word.weight >= MIN_WEIGHT && !additions.has(word.stem));
  const lostFoods = modifiers.filter((word) => names.isFoodWord(word.stem)).length;
  const isDependent = head !== undefined && DEPENDENT.has(head);
  const lostKinds = modifiers.filter(({ stem }) => names.isFoodWord(stem) || names.likenessOf(stem) === 0);
  const all: Features = {
    fit: match.fit,
    wholeFit: match.wholeFit,
    headFirst: Number(match.head === 'first'),
    headElsewhere: Number(match.head === 'elsewhere'),
    headAbsent: Number(match.head === 'absent'),
    otherKind: Number(!match.hasKind),
    lostFood: Math.min(MAX_LOST, lostFoods),
    lostOther: Math.min(MAX_LOST, modifiers.length - lostFoods),
    lostAddition: Math.min(MAX_LOST, match.lost.length - modifiers.length),
    lostOfDependent: isDependent ? Math.min(MAX_LOST, lostKinds.length) : 0,
    foreign: Math.min(MAX_FOREIGN, match.foreign),
    later: Math.min(MAX_LATER, match.later),
    adjacent: Math.min(MAX_ADJACENT, match.adjacent),
    exactName: Number(!match.isAlias && match.foreign + match.later === 0),
    alias: Number(match.isAlias),
    ...matchState(facts, asked),
    popularity: popularityIn(facts) / MAX_POPULARITY,
    shipped: Number(isShippedIn(facts)),
    saidTrait: bitsOf(facts & asked.said & OTHER_TRAITS),
    unspecified: Number((facts & TRAITS.unspecified) !== 0),
  };
  const features: Partial<Record<Feature, number>> = {};
  // What is 0 is left out, since sums are made of hundreds of candidates.
  for (const name in all) if (all[name as Feature] !== 0) features[name as Feature] = all[name as Feature]!;
  for (const trait of UNASKED) {
    if ((facts & TRAITS[trait]) !== 0 && (asked.said & TRAITS[trait]) === 0) features[trait] = 1;
  }
  return features;
}

function bitsOf(facts: number): number {
  return UNASKED.filter((trait) => (facts & TRAITS[trait]) !== 0).length;
}

/** Minimum weight of a word that tells of the food. */
const MIN_WEIGHT = 0.3;

/** The weighted sum of features: the logarithm of the odds against other foods. */
export function rankOf(features: Features, weights: Readonly<Record<Feature, number>> = WEIGHTS): number {
  let sum = 0;
  for (const name in features) sum += weights[name as Feature] * features[name as Feature]!;
  return sum;
}
