import type { Food, Ingredient, IngredientInput, ParsedText, RecipeInput, TextItem } from 'larder-client';
import { nutrientsOf } from '../amounts/food-amounts.ts';
import { numberOf } from '../amounts/typed-number.ts';

/** A food below this probability is shown as uncertain. */
const SURE = 0.6;

/** What a person decides about a part that was read: another food, its amount, or its energy. */
export interface Fix {
  readonly food?: Food;
  /** In the unit of the food's amount. */
  readonly amount?: string;
  /** Energy of an ingredient without a food, in kcal. */
  readonly calories?: number;
}

export type Fixes = Readonly<Record<string, Fix>>;

export interface LinePart {
  readonly key: string;
  readonly item: TextItem;
  readonly food: Food | undefined;
  readonly amount: number | undefined;
  /** The amount as it was typed. */
  readonly typed: string | undefined;
  readonly unit: string;
  /** kcal; undefined where it is not known. */
  readonly energy: number | undefined;
  readonly state: 'sure' | 'unsure' | 'noAmount' | 'noFood';
}

/** A line of the editor: what it was read as, or ingredients that stay as they were. */
export interface RecipeLine {
  readonly text: string;
  readonly kept: readonly Ingredient[];
  readonly parts: readonly LinePart[];
}

/** Lines that name ingredients: neither empty ones nor headings. */
export function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.endsWith(':'));
}

/** The text of the editor for ingredients that were read before. */
export function textOf(ingredients: readonly Ingredient[]): string {
  return [...new Set(ingredients.map(lineOf))].join('\n');
}

function lineOf({ text, quantity, unit, name }: Ingredient): string {
  return text ?? [quantity, unit, name].filter((part) => part !== undefined).join(' ');
}

/** Lines without an ingredient: the service has to read them. */
export function linesToRead(lines: readonly string[], kept: readonly Ingredient[]): readonly string[] {
  const known = new Set(kept.map(lineOf));
  return lines.filter((line) => !known.has(line));
}

/** `read` is what the service made of `linesToRead`. */
export function understood(
  lines: readonly string[],
  kept: readonly Ingredient[],
  read: { readonly lines: readonly string[]; readonly parsed: ParsedText } | undefined,
  fixes: Fixes,
): readonly RecipeLine[] {
  return lines.map((text) => {
    const at = read?.lines.indexOf(text) ?? -1;
    const items = at < 0 ? [] : read!.parsed.items.filter(({ line = 0 }) => line === at);
    return {
      text,
      kept: kept.filter((ingredient) => lineOf(ingredient) === text),
      parts: items.map((item) => partOf(text, item, fixes)),
    };
  });
}

function partOf(line: string, item: TextItem, fixes: Fixes): LinePart {
  const key = `${item.start} ${line}`;
  const fix = fixes[key] ?? {};
  const food = fix.food ?? item.food;
  const size = food?.servingSize;
  const stated = numberOf(fix.amount ?? '');
  const isStated = stated >= 0;
  const hasAmount = item.unresolved !== 'amount' || fix.food !== undefined;
  const amount = isStated ? stated : hasAmount ? size?.value : undefined;
  const isFixed = isStated || fix.food !== undefined || fix.calories !== undefined;
  const energy =
    fix.calories ??
    (amount === undefined || food === undefined
      ? undefined
      : nutrientsOf(food, amount, food.servingSize.unit).energy);
  return {
    key,
    item,
    food,
    amount,
    typed: fix.amount,
    unit: size?.unit ?? 'g',
    energy,
    state: stateOf(item, { food, amount, isFixed, calories: fix.calories }),
  };
}

/** The form of a food that was taken where the line does not say it, and the food in its other form. */
export function formOf({
  item: { food, alternatives, assumed = [], asEaten },
  food: shown,
}: LinePart): { readonly taken: 'raw' | 'dry' | 'cooked'; readonly other: Food } | undefined {
  const eaten = alternatives.find(({ id }) => id === asEaten);
  if (food === undefined || eaten === undefined) return undefined;
  if (shown?.id === eaten.id) return { taken: 'cooked', other: food };
  return shown?.id === food.id ? { taken: assumed.includes('dry') ? 'dry' : 'raw', other: eaten } : undefined;
}

function stateOf(
  item: TextItem,
  {
    food,
    amount,
    isFixed,
    calories,
  }: {
    food: Food | undefined;
    amount: number | undefined;
    isFixed: boolean;
    calories: number | undefined;
  },
): LinePart['state'] {
  if (calories !== undefined) return 'sure';
  if (food === undefined) return 'noFood';
  if (amount === undefined) return 'noAmount';
  return isFixed || item.confidence >= SURE ? 'sure' : 'unsure';
}

/** What a recipe is made of: lines that the service reads alike, and parts that a person decided. */
export function ingredientsOf(lines: readonly RecipeLine[], fixes: Fixes): RecipeInput['ingredients'] {
  return lines.flatMap(({ text, kept, parts }): RecipeInput['ingredients'] => {
    if (kept.length > 0) return kept.map((ingredient) => ingredient as IngredientInput);
    if (!parts.some(({ key }) => fixes[key] !== undefined)) return [text];
    return parts.flatMap((part): IngredientInput[] => {
      const { food, amount, unit, item, key } = part;
      const calories = fixes[key]?.calories;
      if (calories !== undefined) return [{ foodName: item.text, calories, text }];
      if (food === undefined || amount === undefined) return [];
      return [{ foodId: food.id, quantity: amount, unit, text }];
    });
  });
}

/** Lines with a part that the recipe would lack. */
export function lostLines(lines: readonly RecipeLine[]): readonly string[] {
  const isLost = ({ kept, parts }: RecipeLine) =>
    kept.length === 0 && (parts.length === 0 || parts.some(({ state }) => state.startsWith('no')));
  return lines.filter(isLost).map(({ text }) => text);
}

/** kcal of all that is known. */
export function energyOfLines(lines: readonly RecipeLine[]): number {
  return lines
    .flatMap(({ kept, parts }) => [
      ...kept.map(({ calories }) => calories ?? 0),
      ...parts.map(({ energy }) => energy ?? 0),
    ])
    .reduce((sum, energy) => sum + energy, 0);
}
