import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@larder/core/errors.ts';
import { type Food, recipeIdOf } from '@larder/core/food.ts';
import { round } from '@larder/core/rounding.ts';
import { languageOfTag } from '@larder/text/language.ts';
import { type ReadText, readText, type TextItem } from '@larder/text/parse/read-text.ts';
import type { TextContext } from '@larder/text/parse/structure/context.ts';
import type { FoodViewer } from '../foods/custom/food-owner.ts';
import { cutText } from '../foods/import/normalise/clean-text.ts';
import type { FoodDirectory } from '../foods/visible-foods.ts';
import type { PortionInput } from './portion.ts';
import type { DiaryOwner } from './records/entry.ts';
import type { Interpretation } from './records/recipe.ts';

/** An item with a known food and amount. */
export interface ResolvedItem extends TextItem {
  readonly food: Food;
}

export interface UnresolvedItem extends Pick<TextItem, 'text' | 'start' | 'end' | 'line'> {
  /** Position of the item among those of the text, or of the line among the ingredients of a recipe. */
  readonly index: number;
  readonly unresolved: 'food' | 'amount';
  /** Foods that the words may mean. */
  readonly candidates: readonly Pick<Food, 'id' | 'name' | 'brand'>[];
}

export interface ItemOptions {
  readonly foods: FoodDirectory;
}

export interface ReadingOptions extends ItemOptions {
  /** Detected if absent. */
  readonly lang?: string | undefined;
  readonly context: TextContext;
}

/** The source of an amount that the text states as a weight. */
const STATED_WEIGHT = 'weight';
/** Maximum items without a food that are searched for, because each search takes up to a few milliseconds. */
const MAX_SEARCHED = 10;
const MAX_CANDIDATES = 5;
const MAX_SEARCH_LENGTH = 100;
/** Maximum length of the text in a message; `details` has all of it. */
const MAX_SHOWN_LENGTH = 100;

/** Reads a text with the foods that a user sees, preferring those that the user eats. */
export async function readItems(
  text: string | readonly string[],
  viewer: DiaryOwner & FoodViewer,
  { lang, context, foods }: ReadingOptions,
): Promise<Pick<ReadText, 'items' | 'ignored'>> {
  const favourites = await foods.favouritesOf(viewer, viewer.userId);
  const finder = await foods.of(viewer);
  const language = lang === undefined ? undefined : languageOfTag(lang);
  return readText(text, { finder, favourites, context, language });
}

export function isResolved(item: TextItem): item is ResolvedItem {
  return item.unresolved === undefined;
}

/** The unresolved items, with the foods that they may mean. */
export async function unresolvedAmong(
  items: readonly TextItem[],
  viewer: DiaryOwner & FoodViewer,
  { foods }: ItemOptions,
): Promise<readonly UnresolvedItem[]> {
  const finder = await foods.of(viewer);
  const found: UnresolvedItem[] = [];
  let searched = 0;
  for (const [index, { text, start, end, line, food, alternatives, unresolved }] of items.entries()) {
    if (unresolved === undefined) continue;
    let candidates: readonly Food[] = food === null ? alternatives : [food, ...alternatives];
    if (candidates.length === 0 && searched++ < MAX_SEARCHED) {
      await nextTurn();
      candidates = finder.search(text.slice(0, MAX_SEARCH_LENGTH), MAX_CANDIDATES);
    }
    const position = { text, start, end, ...(line !== undefined && { line }) };
    found.push({
      index,
      ...position,
      unresolved,
      candidates: candidates.slice(0, MAX_CANDIDATES).map(toCandidate),
    });
  }
  return found;
}

/** Converts the item to an ingredient or entry. */
export function portionOf({ food, note }: ResolvedItem): PortionInput {
  // The first serving is the amount of the text, the second one that of the food.
  const [{ value, unit, basisAmount }, usual] = food.servings;
  const recipeId = recipeIdOf(food.id);
  if (recipeId === undefined) return { foodId: food.id, quantity: value, unit };
  if (food.isCounted || note === STATED_WEIGHT || usual === undefined)
    return { recipeId, quantity: value, unit };
  return { recipeId, quantity: round(basisAmount / usual.basisAmount), unit: usual.unit };
}

export function interpretationOf({ confidence, note, assumed }: TextItem): Interpretation {
  return { confidence, ...(note !== undefined && { note }), ...(assumed.length > 0 && { assumed }) };
}

/** The error for a text that is not written because items are unresolved or missing. */
export function unresolvedItems(items: readonly UnresolvedItem[], resolvedCount: number): AppError {
  const [{ text, unresolved }] = items as [UnresolvedItem];
  const lacking = unresolved === 'food' ? 'No food is found for' : 'No weight is known for';
  const others = items.length === 1 ? '' : ` and ${items.length - 1} more, see details.items`;
  // If no item is resolved, `partial` would leave nothing to write.
  const advice =
    resolvedCount === 0
      ? 'say it in other words'
      : 'say it in other words, or leave it out with "partial": true';
  return new AppError({
    code: 'unresolved_items',
    message: `${lacking} "${cutText(text, MAX_SHOWN_LENGTH)}"${others}; ${advice}.`,
    details: { items },
  });
}

function toCandidate({ id, name, brand }: Food): UnresolvedItem['candidates'][number] {
  return { id, name, ...(brand !== undefined && { brand }) };
}
