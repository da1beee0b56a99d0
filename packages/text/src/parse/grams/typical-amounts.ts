import TYPICAL from './typical-amounts.json' with { type: 'json' };

/**
 * Household amounts for foods whose servings lack them. Cans, bottles, glasses, shots and bowls are those of most
 * drinks and soups in USDA's survey foods (FNDDS 2021-2023, public domain); pat, knob, dollop and handful are common
 * kitchen values.
 */

/** Millilitres, converted by the food's own servings of volume, or as water. */
const TYPICAL_ML: ReadonlyMap<string, number> = new Map(Object.entries(TYPICAL.ml));

const TYPICAL_GRAMS: ReadonlyMap<string, number> = new Map(Object.entries(TYPICAL.grams));

/** A food with a serving in one of these is a drink. */
export const DRUNK_FROM: ReadonlySet<string> = new Set(['glass', 'can', 'bottle', 'drink', 'mug']);

/** Typical sizes of fountain drinks in FNDDS 2021-2023. */
export const TYPICAL_DRINK_ML: ReadonlyMap<string, number> = new Map([
  ['small', 360],
  ['medium', 500],
  ['large', 720],
]);

/** Weights of sweets sold in these sizes. */
export const TYPICAL_SWEET_GRAMS: ReadonlyMap<string, number> = new Map([
  ['miniature', 8],
  ['fun_size', 15],
]);

export interface TypicalAmount {
  readonly grams?: number;
  readonly ml?: number;
}

/**
 * Amounts for foods with a word of the text: jars of FNDDS 2021-2023, two cups as stated on packages of instant soup.
 */
const TYPICAL_OF_KIND: readonly (TypicalAmount & {
  readonly unit: string;
  readonly words: readonly string[];
})[] = [
  { unit: 'jar', words: ['junior', 'toddler'], grams: 140 },
  { unit: 'jar', words: ['baby', 'strained', 'infant'], grams: 110 },
  { unit: 'package', words: ['soup', 'ramen'], ml: 475 },
];

/** Density and energy of breakfast cereals and the like, in g/ml and kcal per 100 g. */
const DRY_DENSITY = [0.08, 0.3] as const;
const DRY_ENERGY = 300;
/** The median of cereals in the diaries of NHANES 2007-2010: 0.94 cups. */
const DRY_BOWL: TypicalAmount = { ml: 225 };

/** Whether a food is eaten dry, or with milk that the text counts separately. */
export function isDry(density: number, energy: number): boolean {
  return density >= DRY_DENSITY[0] && density <= DRY_DENSITY[1] && energy >= DRY_ENERGY;
}

/** `words` are stems of the text. */
export function typicalAmountOf(
  unit: string,
  words: ReadonlySet<string>,
  isDryFood: boolean,
): TypicalAmount | undefined {
  const ofKind = TYPICAL_OF_KIND.find(
    (each) => each.unit === unit && each.words.some((word) => words.has(word)),
  );
  if (ofKind !== undefined) return ofKind;
  if (unit === 'bowl' && isDryFood) return DRY_BOWL;
  const grams = TYPICAL_GRAMS.get(unit);
  if (grams !== undefined) return { grams };
  const ml = TYPICAL_ML.get(unit);
  return ml === undefined ? undefined : { ml };
}

/** Units that replace one another in the servings of foods. */
const ALIKE: readonly (readonly string[])[] = [
  ['slice', 'piece', 'wedge', 'square'],
  ['bag', 'package', 'pack', 'packet', 'pouch', 'sachet'],
  ['container', 'carton', 'tub', 'pot'],
  ['glass', 'mug', 'cup', 'drink'],
  ['roll', 'bun'],
  ['rasher', 'strip'],
  ['order', 'portion'],
];
const UNITS_ALONE =
  'can bottle bowl bar cone stick handful plate scoop shot splash dash pinch dollop drizzle pat knob serving patty fillet link jar box tray clove sprig bunch leaf'.split(
    ' ',
  );
const GROUPS: ReadonlyMap<string, readonly string[]> = new Map([
  ...UNITS_ALONE.map((unit) => [unit, [unit]] as const),
  ...ALIKE.flatMap((group) => group.map((unit) => [unit, group] as const)),
]);

/** Whether a word of a serving can be counted: "slice", "bag". */
export function isServingUnit(word: string): boolean {
  return GROUPS.has(word);
}

export function isAlike(unit: string, other: string): boolean {
  return GROUPS.get(unit)?.includes(other) === true;
}
