import type { Food } from '@larder/core/food.ts';
import { wordsOfName } from '../names/name-words.ts';
import PORTIONS from './usual-portions.json' with { type: 'json' };

/**
 * Amounts that adults eat of a food at one occasion, in its basis, as percentiles. `usual-portions.json` names its source,
 * and `npm run starter` makes it.
 */
export interface UsualPortion {
  readonly p5: number;
  readonly p10: number;
  readonly p25: number;
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
  /** Only the spread of its group is known, around the food's own first serving. */
  readonly isOfGroup: boolean;
}

const FOODS: Readonly<Record<string, string>> = PORTIONS.foods;
const GROUPS: Readonly<Record<string, string>> = PORTIONS.groups;
const ADDITIONS: Readonly<Record<string, Readonly<Record<string, string>>>> = PORTIONS.additions;
/** Amounts of a size as shares of the usual one: medians over foods of the tenth, 25th and 75th percentile. */
export const SIZE_SHARES: Readonly<Record<'miniature' | 'small' | 'large', number>> = PORTIONS.sizes;
const PREFIX = 'starter:';

/** Undefined for foods other than those that ship, and where nobody recorded one. */
export function usualPortionOf({ id, servings: [first] }: Food): UsualPortion | undefined {
  const row = id.startsWith(PREFIX) ? FOODS[id.slice(PREFIX.length)] : undefined;
  if (row === undefined) return undefined;
  if (row.includes(' ')) return { ...percentiles(row), isOfGroup: false };
  const { p5, p10, p25, p50, p75, p90, p95 } = percentiles(GROUPS[row]!);
  const scaled = (value: number) => (value / p50) * first.basisAmount;
  return {
    ...{ p5: scaled(p5), p10: scaled(p10), p25: scaled(p25), p50: scaled(p50) },
    ...{ p75: scaled(p75), p90: scaled(p90), p95: scaled(p95) },
    isOfGroup: true,
  };
}

/**
 * How many pieces of a food people mean by its plural without a number: their usual amount, and at least two. One, if hardly anybody
 * eats two, as of onions.
 */
export function usualPieces({ id }: Pick<Food, 'id'>, piece: number): number {
  const row = id.startsWith(PREFIX) ? FOODS[id.slice(PREFIX.length)] : undefined;
  if (row === undefined) return 2;
  const isOfGroup = row in GROUPS;
  const { p50, p90, p95 } = percentiles(isOfGroup ? GROUPS[row]! : row);
  if (2 * piece > (isOfGroup ? p90 : p95)) return 1;
  return isOfGroup ? 2 : Math.max(2, Math.round(p50 / piece));
}

function percentiles(row: string): Omit<UsualPortion, 'isOfGroup'> {
  const [p5, p10, p25, p50, p75, p90, p95] = row.split(' ').map(Number) as [
    ...[number, number, number, number],
    ...[number, number, number],
  ];
  return { p5, p10, p25, p50, p75, p90, p95 };
}

/** The stems of a food that carries additions, each with the name of its row; the longer ones first. */
const HOSTS: readonly (readonly [readonly string[], string])[] = sorted({
  'bread or toast': ['bread', 'toast', 'baguette', 'ciabatta', 'focaccia', 'crispbread', 'pita'],
  'roll or bun': ['roll', 'bun', 'croissant', 'pretzel', 'brioche'],
  'bagel or English muffin': ['bagel', 'english muffin'],
  'biscuit, muffin or cornbread': ['scone', 'cornbread', 'crumpet'],
  'pancake, waffle or French toast': ['pancake', 'waffle', 'french toast', 'crepe'],
  'breakfast cereal': ['cereal', 'muesli', 'granola', 'cornflake', 'wheat biscuit', 'flake'],
  oatmeal: ['oatmeal', 'porridge', 'oat'],
  coffee: ['coffee', 'espresso', 'latte', 'leche', 'cappuccino', 'americano', 'macchiato', 'lait'],
  tea: ['tea'],
  'leafy salad': ['salad', 'green', 'lettuce', 'arugula', 'spinach'],
  'pasta or noodles': ['pasta', 'spaghetti', 'noodle', 'macaroni', 'tagliatelle', 'penne', 'gnocchi'],
  rice: ['rice'],
  soup: ['soup'],
  fries: ['fry', 'french fry'],
  burger: ['hamburger', 'cheeseburger', 'burger'],
  'hot dog': ['hot dog'],
  'boiled or baked potato': ['potato'],
  'mashed potato': ['mashed potato'],
  yogurt: ['yogurt', 'skyr', 'quark'],
  egg: ['egg'],
  cracker: ['cracker'],
  'ice cream': ['ice cream'],
  'tortilla chips': ['tortilla chip', 'nacho'],
  'cake or pie': ['cake', 'pie', 'strudel', 'brownie', 'crumble'],
  'strawberries or other berries': ['strawberry', 'raspberry', 'blueberry'],
  'cooked vegetables': ['broccoli', 'asparagus', 'bean', 'carrot', 'cauliflower', 'zucchini', 'vegetable'],
});
/** Words of added foods by their group in the table of additions; an empty group has no usual amount. */
const ADDED: readonly (readonly [readonly string[], string])[] = sorted({
  'plant milk': ['oat milk', 'soy milk', 'almond milk', 'coconut milk', 'rice milk'],
  milk: ['milk'],
  'cream or half and half': ['cream', 'half'],
  'coffee creamer, liquid': ['creamer'],
  '': ['ice cream', 'condensed milk', 'milk chocolate', 'butter bean', 'maple sugar'],
  'cream cheese': ['cream cheese'],
  'sour cream': ['sour cream', 'creme fraiche'],
  'whipped cream': ['whipped cream'],
  'peanut butter': ['peanut butter'],
  butter: ['butter'],
  margarine: ['margarine'],
  sugar: ['sugar'],
  sweetener: ['sweetener'],
  honey: ['honey'],
  jam: ['jam', 'jelly', 'marmalade'],
  syrup: ['syrup'],
  'lemon or lemon juice': ['lemon', 'lemon juice'],
  'grated Parmesan': ['parmesan'],
  cheese: ['cheese', 'cheddar', 'gouda', 'emmental', 'mozzarella', 'feta'],
  mayonnaise: ['mayonnaise'],
  ketchup: ['ketchup'],
  mustard: ['mustard'],
  oil: ['oil'],
  vinegar: ['vinegar'],
  'salad dressing': ['dressing', 'vinaigrette'],
  'soy sauce': ['soy sauce'],
  gravy: ['gravy'],
  salsa: ['salsa'],
  guacamole: ['guacamole'],
  raisins: ['raisin'],
  croutons: ['crouton'],
  'nuts or seeds': ['nut', 'seed', 'almond', 'walnut', 'hazelnut'],
});

function sorted(table: Readonly<Record<string, readonly string[]>>): [readonly string[], string][] {
  return Object.entries(table)
    .flatMap(([row, names]) => names.map((name): [string[], string] => [name.split(' '), row]))
    .sort(([one], [other]) => other.length - one.length);
}

/** The row of the first name whose words are the last ones of the food's name before a comma. */
function rowOf(
  rows: readonly (readonly [readonly string[], string])[],
  { name }: Pick<Food, 'name'>,
): string | undefined {
  const stems = wordsOfName(name)
    .filter(({ part }) => part === 0)
    .map(({ stem }) => stem);
  return rows.find(([words]) => words.every((word, at) => stems.at(at - words.length) === word))?.[1];
}

/** An amount of an addition at one occasion: small, usual and large. */
export type AddedPortion = readonly [p25: number, p50: number, p75: number];

/** Usual amount of a food that is added to another one: milk in tea, butter on bread. */
export function addedPortionOf(food: Pick<Food, 'name'>, host: Pick<Food, 'name'>): AddedPortion | undefined {
  const row = rowOf(HOSTS, host);
  const addition = row === undefined ? undefined : rowOf(ADDED, food);
  const numbers = addition === undefined ? undefined : ADDITIONS[row!]?.[addition];
  if (numbers === undefined) return undefined;
  const [, p25, p50, p75] = numbers.split(' ').map(Number);
  return [p25!, p50!, p75!];
}

/** From this amount on no item of a text is sure, in g or ml. */
const HEAVY = 1_500;
/** The confidence of such an item at most, and of one that hardly anybody eats at one occasion. */
const OF_HEAVY = 0.6;
const OF_UNUSUAL = 0.85;
/** A stated weight is unusual outside the percentiles times this factor. */
const STATED_MARGIN = 2;

/** The highest confidence of an amount of a food, which depends on what people eat of it at one occasion. */
export function mostConfidence(
  food: Food,
  { basisAmount, isStated, isMeal }: { basisAmount: number; isStated: boolean; isMeal: boolean },
): number {
  if (basisAmount > HEAVY) return OF_HEAVY;
  const usual = isMeal ? usualPortionOf(food) : undefined;
  if (usual === undefined || usual.isOfGroup) return 1;
  const margin = isStated ? STATED_MARGIN : 1;
  return basisAmount * margin < usual.p5 || basisAmount > usual.p95 * margin ? OF_UNUSUAL : 1;
}
