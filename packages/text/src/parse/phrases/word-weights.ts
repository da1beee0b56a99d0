import type { MealWords } from '../../meal-words.ts';
import type { Token } from '../../tokens.ts';
import { unitOfWord } from '../../units.ts';
import type { FoodNames } from '../food-names.ts';

/** Weights: how much words contribute to naming a food, from 0 to 1. */
export const FILLER_WEIGHT = 0.08;
/** The minimum weight that is shown as part of the name. */
export const IMPLIED_WEIGHT = 0.13;
export const WEAK_WEIGHT = 0.65;
export const UNKNOWN_WEIGHT = 0.3;
const NOUN_WEIGHT = 0.5;
const PROPER_WEIGHT = 0.65;
const NEGATED_WEIGHT = 0.4;
const CONTAINER_WEIGHT = 0.3;

/** Inedible parts: a food without them is the same food. */
const REMOVED: ReadonlySet<string> = new Set(['-bone', '-pit', '-seed', '-shell', '-stone', '-stem']);

interface WordOfPhrase {
  readonly word: string;
  readonly stem: string;
  /** A preceding word of the phrase names something. */
  readonly isNamed: boolean;
  readonly isProper: boolean;
}

export function weightOfWord(
  { word, stem, isNamed, isProper }: WordOfPhrase,
  { fillers, nouns, weak }: MealWords,
  names: FoodNames,
): number {
  if (fillers.has(word)) {
    if (nouns.has(word) && isNamed) return NOUN_WEIGHT;
    return isProper ? PROPER_WEIGHT : FILLER_WEIGHT;
  }
  if (weak.has(word)) return WEAK_WEIGHT;
  if (isContainer(stem)) return CONTAINER_WEIGHT;
  if (REMOVED.has(stem)) return FILLER_WEIGHT;
  if (stem.startsWith('-')) return NEGATED_WEIGHT;
  return Math.max(UNKNOWN_WEIGHT, names.likenessOf(stem));
}

/** Whether a unit does not name a food beside other words: "bottle" and "slice", but not "bar" or "roll". */
function isContainer(stem: string): boolean {
  const unit = unitOfWord(stem);
  return unit?.kind === 'container' || (unit?.kind === 'count' && unit.food !== true && stem !== 'stick');
}

/** Whether a word has a capital within a sentence: "KIND", "Golden Grahams". */
export function isProperName(tokens: readonly Token[], at: number): boolean {
  const { text } = tokens[at]!;
  return text.length > 2 && /^\p{Lu}/u.test(text) && !beginsSentence(tokens, at);
}

function beginsSentence(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1];
  return before === undefined || before.kind === 'break' || /^[.;!?:"]$/.test(before.text);
}
