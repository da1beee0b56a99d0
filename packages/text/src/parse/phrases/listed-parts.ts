import type { SearchHit } from '@larder/search/match/top-hits.ts';
import type { MealWords } from '../../meal-words.ts';
import type { FoundFoods } from '../names/found-foods.ts';
import { isArticle, isMeasured, isNaming, namesFood, type Phrase } from './phrase.ts';

/** Maximum words of one part: "white cheddar cheese". */
const MAX_PART_WORDS = 3;

/**
 * The end of a list of fillings before the name of the food: at "cheese sandwich" in "a ham, egg and cheese
 * sandwich on white bread". One amount precedes the list. Returns 0 without such a list.
 */
export function endOfListedParts(span: readonly Phrase[], mealWords: MealWords): number {
  const { listing, belonging } = mealWords;
  const [first] = span;
  if (span.length < 2 || !mayBegin(first!) || isFilledDish(first!, mealWords)) return 0;
  for (let at = 1; at < span.length; at++) {
    const phrase = span[at]!;
    const { link, begins, isPart, words } = phrase;
    const isAfterAnd = listing.has(link) && !belonging.has(link);
    if (begins || isPart || !namesFood(phrase) || (link !== ',' && !isAfterAnd)) return 0;
    if (isFilledDish(phrase, mealWords)) return isAfterAnd && words.filter(isNaming).length > 1 ? at : 0;
    if (phrase.after !== undefined || words.filter(isNaming).length > MAX_PART_WORDS) return 0;
  }
  return 0;
}

/** Whether a phrase may begin such a list: "a ham", "200 g ham", "a slice of ham"; not "two hams". */
function mayBegin({ before, after, words }: Phrase): boolean {
  if (before === undefined || after !== undefined || words.filter(isNaming).length > MAX_PART_WORDS)
    return false;
  return (
    isArticle(before) || isMeasured(before) || before.unit !== undefined || before.container !== undefined
  );
}

/** Whether a phrase names a food whose fillings may follow after "with". */
function isFilledDish({ words }: Phrase, { mixed }: Pick<MealWords, 'mixed'>): boolean {
  const head = words.findLast(isNaming);
  return head !== undefined && mixed.has(head.stem);
}

interface Found {
  readonly hits: readonly SearchHit[];
  readonly found: FoundFoods;
  readonly words: MealWords;
}

/**
 * Whether phrases after "with" name fillings of a dish: some names of sandwiches have "cheese", as in "a sandwich with
 * ham and cheese", but none has "crisps".
 */
export function areFillings(
  dish: Phrase,
  { link }: Phrase,
  others: readonly Phrase[],
  { hits, found, words }: Found,
): boolean {
  if (!isFilledDish(dish, words) || !words.belonging.has(link)) return false;
  const head = dish.words.findLast(isNaming)!.stem;
  const names = hits.map(({ document }) => found.stemsOf(document)).filter((stems) => stems.has(head));
  return others.every((other) => names.some((stems) => hasWordOfEach([other], stems)));
}

/** Whether a name has a word of each phrase. */
export function hasWordOfEach(phrases: readonly Phrase[], stems: ReadonlySet<string>): boolean {
  return phrases.every(({ words }) => words.some((word) => isNaming(word) && stems.has(word.stem)));
}

/** Words and signs that join foods in a name: "Macaroni and cheese", "Beans with rice". */
const CONJUNCTION = /[&,]|\b(?:and|with|or|n|und|mit|et|avec|y|con|e|com)\b/i;

/**
 * Whether foods joined by "and", up to `last`, are separate foods, and the name with the words of both is
 * that of one of them: "cheese and crackers" are not cheese crackers.
 */
export function arePair({ link, words }: Phrase, name: string, mealWords: MealWords): boolean {
  const { mixed, dishes, carriers, belonging } = mealWords;
  const head = words.at(-1)?.stem ?? '';
  if (belonging.has(link) || [mixed, dishes, carriers].some((stems) => stems.has(head))) return false;
  return !CONJUNCTION.test(name);
}
