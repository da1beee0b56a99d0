import { GRAMS_PER, ML_PER } from '@larder/core/unit-sizes.ts';

export type UnitKind = 'mass' | 'volume' | 'length' | 'container' | 'count';

export interface Unit {
  readonly kind: UnitKind;
  readonly grams?: number;
  readonly ml?: number;
  readonly mm?: number;
  /** The unit may name a food: "a roll" is one, "a roll of biscuits" a count. */
  readonly food?: true;
  /** The unit may occur without a number: "pinch salt". */
  readonly bare?: true;
}

/** The words of a literal text. */
type Words<Text, Found = never> = Text extends `${infer Word} ${infer Rest}`
  ? Words<Rest, Found | Word>
  : Found | Text;

const BY_KIND = {
  mass: 'mg g dag hg kg oz lb metric_pound',
  volume: 'ml cl dl l tsp dessertspoon tbsp fl_oz cup pint quart gallon pinch knife_tip dash drop',
  length: 'mm cm inch',
  container:
    'bag basket bottle bowl box can carton container envelope glass jar jug ladle mug package packet plate pot pouch punnet sachet shot sleeve tray tub tube',
  count:
    'ball bar batch bite bit block branch bulb bunch chunk clove cone cube dollop drizzle ear fillet floret glug grating half handful head knob leaf lump pod rack shake strand wheel link loaf order pat patty piece rasher recipe rib roll scoop serving sheet slice spear splash sprig sprinkle square squeeze stalk stem stick strip tablet twist wedge',
} as const;
const FOODS = namesIn(
  'bar clove cone fillet floret half leaf pod link patty rib roll spear square stem strip wedge',
);
const BARE = namesIn(
  'pinch knife_tip dash drop branch bunch dollop drizzle glug grating handful head knob shake splash sprig sprinkle squeeze twist',
);
const MM: Readonly<Record<string, number>> = { mm: 1, cm: 10, inch: 25.4 };

function namesIn(names: string): ReadonlySet<string> {
  return new Set(names.split(' '));
}

function toUnit(kind: UnitKind, name: string): Unit {
  return {
    kind,
    ...(kind === 'mass' && { grams: GRAMS_PER[name as keyof typeof GRAMS_PER] }),
    ...(kind === 'volume' && { ml: ML_PER[name as keyof typeof ML_PER] }),
    ...(kind === 'length' && { mm: MM[name]! }),
    ...(FOODS.has(name) && { food: true as const }),
    ...(BARE.has(name) && { bare: true as const }),
  };
}

export type UnitName = Words<(typeof BY_KIND)[UnitKind]>;
export const UNITS: Readonly<Record<UnitName, Unit>> = Object.fromEntries(
  Object.entries(BY_KIND).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, toUnit(kind as UnitKind, name)]),
  ),
) as Record<UnitName, Unit>;

/** Returns undefined for a word that is not a unit. */
export function unitOfWord(word: string): Unit | undefined {
  return Object.hasOwn(UNITS, word) ? UNITS[word as UnitName] : undefined;
}
