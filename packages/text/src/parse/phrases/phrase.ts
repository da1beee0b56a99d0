import type { Amount } from '../../find-amounts.ts';
import type { Token } from '../../tokens.ts';
import { UNITS } from '../../units.ts';
import type { FoodNames, QueryWord } from '../food-names.ts';
import { isSize } from '../grams/serving-match.ts';
import { stemOf } from '../names/name-words.ts';
import { FILLER_WEIGHT } from './word-weights.ts';

export interface PhraseWord extends QueryWord {
  readonly stem: string;
  readonly weight: number;
  readonly token: number;
  /** As it is written; absent for a word of a name with a number. */
  readonly written?: string;
}

/** Words between two links, commas or amounts, with the amounts beside them. A food is one phrase or several. */
export interface Phrase {
  readonly words: PhraseWord[];
  readonly firstToken: number;
  readonly endToken: number;
  /** The amount before the words: "200 g", "two", "a". */
  readonly before?: Amount;
  /** The amount after the words: "water, 12 fl oz", "cola (330 ml)". */
  readonly after?: Amount;
  /** The phrase cannot continue a food that began before. */
  readonly begins: boolean;
  /** The phrase begins with an article only, so that it may describe the food before: "a bar, a Clif Bar". */
  readonly mayGoOn: boolean;
  /** The link before the phrase: "and", "with", ",". */
  readonly link: string;
  /** The phrase names a component of a weighed food before it: "200 g burrito with beans and sour cream". */
  readonly belongs: boolean;
  /** The phrase names a carrier or topping of the food before: "on a white bun", "with two patties". */
  readonly isPart: boolean;
}

/** A phrase while it is read. */
export interface OpenPhrase
  extends Omit<
    Phrase,
    'belongs' | 'firstToken' | 'endToken' | 'before' | 'after' | 'begins' | 'mayGoOn' | 'words'
  > {
  words: { stem: string; weight: number; token: number }[];
  firstToken: number;
  endToken: number;
  before?: Amount;
  after?: Amount;
  begins: boolean;
  belongs: boolean;
  mayGoOn: boolean;
}

/** Nouns whose size is not that of the food: "a thin crust pizza". */
export const SIZED_PARTS: ReadonlySet<string> = new Set([
  'crust',
  'cut',
  'grain',
  'curd',
  'patty',
  'patties',
]);

/** Whether the last word of an amount is a size that belongs to the name: "a thin crust pizza", "a big mac". */
export function sizeIsOfName(
  { size, endToken }: Amount,
  tokens: readonly Token[],
  names: Pick<FoodNames, 'begins'>,
): boolean {
  if (size !== undefined && SIZED_PARTS.has(tokens[endToken]?.folded ?? '')) return true;
  return beginsName(tokens, endToken - 1, names);
}

/** Whether a size begins a name: "big mac". */
export function sizeBeginsName(
  tokens: readonly Token[],
  at: number,
  names: Pick<FoodNames, 'begins'>,
): boolean {
  return isSize(tokens[at]!.folded) && beginsName(tokens, at, names);
}

function beginsName(tokens: readonly Token[], at: number, names: Pick<FoodNames, 'begins'>): boolean {
  const [first, next] = [tokens[at]!, tokens[at + 1]];
  return next !== undefined && names.begins(stemOf(first.folded), stemOf(next.folded));
}

/** Whether the amount is only an article: "a banana". */
export function isArticle({ article, unit }: Amount): boolean {
  return article === true && unit === undefined;
}

/** Whether the text states a weight or volume. */
export function isMeasured({ unit, each, alternatives }: Amount): boolean {
  const kind = unit === undefined ? undefined : UNITS[unit].kind;
  return (
    kind === 'mass' ||
    kind === 'volume' ||
    (each !== undefined && isMeasured(each)) ||
    alternatives.some(isMeasured)
  );
}

/** Units that do not weigh the carrier: "a tablespoon of butter on a bagel". */
const SPOONS: ReadonlySet<string> = new Set(['tsp', 'dessertspoon', 'tbsp', 'pinch', 'dash', 'drop']);

/** Whether the amount is the weight of a food including everything on or in it. */
export function weighsCarrier(amount: Amount): boolean {
  return isMeasured(amount) && !SPOONS.has(amount.unit ?? '');
}

const MIN_NAMED = 0.4;

/** Whether some of its words may name a food. */
export function namesFood({ words }: Phrase): boolean {
  return words.some(({ weight }) => weight >= MIN_NAMED);
}

/** The amounts of a food: before its first phrase and after its last. */
export function phraseAmounts(span: readonly Phrase[]): Amount[] {
  return [span[0]!.before, span.at(-1)!.after].filter((amount) => amount !== undefined);
}

/** Factor for words before an amount in the same phrase: "a crisp 200g apple". */
const BEFORE_AMOUNT = 0.1;

/** Replaces an article by the amount: "a crisp 200g apple". */
export function takeAmount(phrase: OpenPhrase, amount: Amount): void {
  const namesFood = phrase.words.some(isNaming);
  for (const word of phrase.words) word.weight *= BEFORE_AMOUNT;
  phrase.before = amount;
  // Covers "a snack of one slice of bread".
  if (!namesFood) phrase.firstToken = amount.firstToken;
  phrase.begins = true;
  phrase.mayGoOn = false;
}

/** Whether the word is more than a filler. */
export function isNaming({ weight }: PhraseWord): boolean {
  return weight > FILLER_WEIGHT;
}

/** Links to a clause about the preceding food. */
export const TELLING: ReadonlySet<string> = new Set(['which', 'that']);

/**
 * Whether a clause such as "a snack that featured" precedes an apple: neither the clause nor the words before it name a
 * food.
 */
export function featuresFood(clause: OpenPhrase | undefined, before: OpenPhrase | undefined): boolean {
  const phrases = [clause, before];
  return TELLING.has(clause?.link ?? '') && phrases.every((each) => each?.words.some(isNaming) === false);
}

/** Weight factors in a name of several phrases: its head, and the phrases after the first. */
export const HEAD_FACTOR = 1.3;
const LATER_FACTOR = 0.8;
/** Links to a purpose, whose words rarely name the food: "milk for added nutrition". */
const PURPOSE: ReadonlySet<string> = new Set(['for']);
const PURPOSE_FACTOR = 0.4;
/** Maximum words of one name that are looked up; names of foods have fewer. */
const MAX_NAME_WORDS = 16;

/** The words of a run: the last one of the phrase `main` names the kind of food, other phrases name additions. */
export function toQuery(span: readonly Phrase[], main = 0): PhraseWord[] {
  const all = span.flatMap(({ words, link }, at) => {
    const factor = LATER_FACTOR * (PURPOSE.has(link) ? PURPOSE_FACTOR : 1);
    const head = words.findLastIndex(({ weight }) => weight >= 0.5);
    return words.map((word, index) => {
      const isHead = at === main && index === head;
      return {
        ...word,
        isHead,
        weight: word.weight * (at !== main ? factor : isHead ? HEAD_FACTOR : 1),
      };
    });
  });
  return all.slice(0, MAX_NAME_WORDS);
}
