import type { MealWords } from '../meal-words.ts';
import type { Token } from '../tokens.ts';
import type { Extent, MealItem } from './meal-item.ts';
import { isArticle, type PhraseWord } from './phrases/phrase.ts';
import { extentsOf } from './structure/remainder.ts';

/** Minimum weight of a word that names the food. */
const MIN_WEIGHT = 0.5;

/**
 * Merges repeated mentions, keeping the more exact words and amount: "a doughnut, just one nice yeast-type doughnut".
 */
export function withoutRepeats(
  items: readonly MealItem[],
  tokens: readonly Token[],
  words: MealWords,
): MealItem[] {
  const separators = countSeparators(tokens, words);
  const isRepeat = (before: MealItem, item: MealItem) =>
    !words.listing.has(item.link) &&
    separators[item.firstToken] === separators[before.firstToken] &&
    isSameFood(before, item, words);
  const kept: Merging[] = [];
  let left: Extent[] = [];
  for (const [index, item] of items.entries()) {
    const isOther = kept.length > 0 && isKind(item, tokens, words);
    if (isOther || isToldSingly(item, items, index + 1, tokens)) {
      left.push(...mentionsOf(item));
      continue;
    }
    const at = findLastOf(kept, MOST_KEPT, (before) => isRepeat(before.item, item));
    if (at === -1) {
      kept.push({ item, mentions: [...left, ...(item.mentions ?? [])], described: [...item.described] });
    } else {
      const before = kept[at]!;
      before.mentions.push(...left, ...extentsOfItem(before.item), ...mentionsOf(item));
      before.described.push(...item.described);
      before.item = merged(before.item, item);
    }
    left = [];
  }
  kept.at(-1)?.mentions.push(...left);
  return kept.map(({ item, mentions, described }) => ({ ...item, mentions, described }));
}

/** An item with what was merged into it. The lists only grow, so that a text of one food a thousand times takes no longer than others. */
interface Merging {
  item: MealItem;
  readonly mentions: Extent[];
  readonly described: string[];
}

/** Items before one that may be the same food, and items that one may count: each is compared with all of them. */
const MOST_KEPT = 50;

/** Like `findLastIndex` among the last `most`. */
function findLastOf<T>(all: readonly T[], most: number, isIt: (one: T) => boolean): number {
  const from = Math.max(0, all.length - most);
  const found = all.slice(from).findLastIndex(isIt);
  return found === -1 ? -1 : from + found;
}

/** The extents of the words and the amount of an item, and of those merged with it. */
function mentionsOf(item: MealItem): Extent[] {
  return [...(item.mentions ?? []), ...extentsOfItem(item)];
}

function extentsOfItem({ start, end, amount }: MealItem): Extent[] {
  return [{ start, end }, ...(amount === undefined ? [] : extentsOf(amount))];
}

/** Whether the next items list what an item counts: "two enchiladas: a chicken enchilada and a meat enchilada". */
function isToldSingly(
  item: MealItem,
  items: readonly MealItem[],
  from: number,
  tokens: readonly Token[],
): boolean {
  const { quantity = 1, unit } = item.amount ?? {};
  const end = item.words.at(-1)!.token + 1;
  if (quantity < 2 || unit !== undefined || tokens[end]?.text !== ':') return false;
  if (items.length - from < quantity || quantity > MOST_KEPT) return false;
  return items.slice(from, from + quantity).every((single) => headOf(single) === headOf(item));
}

/** Maximum distance of a pointing word before the noun. */
const MAX_POINTING = 3;

/** Whether an item names the kind of a food before it: "enjoying this delicious fruit". */
function isKind({ words }: MealItem, tokens: readonly Token[], { kinds, pointing }: MealWords): boolean {
  const [first, ...others] = words.filter(isSaid);
  if (first === undefined || others.length > 0 || !kinds.has(first.stem)) return false;
  return tokens
    .slice(Math.max(0, first.token - MAX_POINTING), first.token)
    .some(({ folded }) => pointing.has(folded));
}

/** For each token, the number of separators before it: ends of sentences and lines, and words such as "another". */
function countSeparators(tokens: readonly Token[], { further }: MealWords): Uint32Array {
  const separators = new Uint32Array(tokens.length);
  let count = 0;
  for (const [at, { kind, text, folded }] of tokens.entries()) {
    separators[at] = count;
    if (kind === 'break' || text === '.' || further.has(folded)) count++;
  }
  return separators;
}

function isSameFood(one: MealItem, other: MealItem, { retelling }: MealWords): boolean {
  if (one.amount === undefined || other.amount === undefined) return false;
  // Excludes "a package of bars, which held two bars".
  if (!retelling.has(other.link) && other.amount.quantity !== one.amount.quantity && !isArticle(one.amount))
    return false;
  const head = headOf(one);
  return head !== undefined && head === headOf(other) && (saysAll(one, other) || saysAll(other, one));
}

function headOf({ words }: MealItem): string | undefined {
  return words.find(({ isHead }) => isHead)?.stem;
}

/** Whether `item` has all naming words of `other`. */
function saysAll(item: MealItem, other: MealItem): boolean {
  const stems = new Set(item.words.map(({ stem }) => stem));
  return other.words.filter(isSaid).every(({ stem }) => stems.has(stem));
}

function merged(one: MealItem, other: MealItem): MealItem {
  const isLonger = other.words.filter(isSaid).length > one.words.filter(isSaid).length;
  const named = isLonger ? other : one;
  const counted = isArticle(one.amount!) ? other : one;
  return { ...named, amount: counted.amount! };
}

function isSaid({ weight }: PhraseWord): boolean {
  return weight >= MIN_WEIGHT;
}
