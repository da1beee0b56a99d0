/**
 * Units with one name each. Masses and volumes are those of NIST Special Publication 811, appendix B.8 (avoirdupois
 * ounce and pound; US customary cup, fluid ounce, pint, quart, gallon, spoons). Pinch, dash (and the tip of a knife)
 * and drop are the sizes of measuring spoons sold under these names: 1/16, 1/8 and 1/100 teaspoon.
 */

export type UnitKind = 'mass' | 'volume' | 'length' | 'container' | 'count';

export interface Unit {
  readonly kind: UnitKind;
  readonly grams?: number;
  readonly ml?: number;
  readonly mm?: number;
  /** The unit may name a food: "a roll" is one, "a roll of biscuits" a count. */
  readonly food?: true;
  /** The unit may stand without a number: "pinch salt". */
  readonly bare?: true;
}

const TEASPOON = 4.92892;
const food = true;
const bare = true;

const TABLE = {
  mg: { kind: 'mass', grams: 0.001 },
  g: { kind: 'mass', grams: 1 },
  dag: { kind: 'mass', grams: 10 },
  /** Italian recipes call it etto. */
  hg: { kind: 'mass', grams: 100 },
  kg: { kind: 'mass', grams: 1000 },
  oz: { kind: 'mass', grams: 28.34952 },
  lb: { kind: 'mass', grams: 453.59237 },
  /** German and Austrian recipes use a pound of half a kilogram. */
  metric_pound: { kind: 'mass', grams: 500 },
  ml: { kind: 'volume', ml: 1 },
  cl: { kind: 'volume', ml: 10 },
  dl: { kind: 'volume', ml: 100 },
  l: { kind: 'volume', ml: 1000 },
  tsp: { kind: 'volume', ml: TEASPOON },
  dessertspoon: { kind: 'volume', ml: 2 * TEASPOON },
  tbsp: { kind: 'volume', ml: 14.78676 },
  fl_oz: { kind: 'volume', ml: 29.57353 },
  cup: { kind: 'volume', ml: 236.5882 },
  pint: { kind: 'volume', ml: 473.1765 },
  quart: { kind: 'volume', ml: 946.3529 },
  gallon: { kind: 'volume', ml: 3785.412 },
  pinch: { kind: 'volume', ml: TEASPOON / 16, bare },
  knife_tip: { kind: 'volume', ml: TEASPOON / 8, bare },
  dash: { kind: 'volume', ml: TEASPOON / 8, bare },
  drop: { kind: 'volume', ml: TEASPOON / 100, bare },
  mm: { kind: 'length', mm: 1 },
  cm: { kind: 'length', mm: 10 },
  inch: { kind: 'length', mm: 25.4 },

  bag: { kind: 'container' },
  basket: { kind: 'container' },
  bottle: { kind: 'container' },
  bowl: { kind: 'container' },
  box: { kind: 'container' },
  can: { kind: 'container' },
  carton: { kind: 'container' },
  container: { kind: 'container' },
  envelope: { kind: 'container' },
  glass: { kind: 'container' },
  jar: { kind: 'container' },
  jug: { kind: 'container' },
  mug: { kind: 'container' },
  package: { kind: 'container' },
  packet: { kind: 'container' },
  plate: { kind: 'container' },
  pot: { kind: 'container' },
  pouch: { kind: 'container' },
  punnet: { kind: 'container' },
  sachet: { kind: 'container' },
  shot: { kind: 'container' },
  sleeve: { kind: 'container' },
  tray: { kind: 'container' },
  tub: { kind: 'container' },
  tube: { kind: 'container' },

  ball: { kind: 'count' },
  bar: { kind: 'count', food },
  batch: { kind: 'count' },
  bite: { kind: 'count' },
  bit: { kind: 'count' },
  block: { kind: 'count' },
  branch: { kind: 'count', bare },
  bulb: { kind: 'count' },
  bunch: { kind: 'count', bare },
  chunk: { kind: 'count' },
  clove: { kind: 'count', food },
  cone: { kind: 'count', food },
  cube: { kind: 'count' },
  dollop: { kind: 'count', bare },
  drizzle: { kind: 'count', bare },
  ear: { kind: 'count' },
  fillet: { kind: 'count', food },
  floret: { kind: 'count', food },
  glug: { kind: 'count', bare },
  grating: { kind: 'count', bare },
  half: { kind: 'count', food },
  handful: { kind: 'count', bare },
  head: { kind: 'count', bare },
  knob: { kind: 'count', bare },
  leaf: { kind: 'count', food },
  lump: { kind: 'count' },
  pod: { kind: 'count', food },
  rack: { kind: 'count' },
  shake: { kind: 'count', bare },
  strand: { kind: 'count' },
  wheel: { kind: 'count' },
  link: { kind: 'count', food },
  loaf: { kind: 'count' },
  order: { kind: 'count' },
  pat: { kind: 'count' },
  patty: { kind: 'count', food },
  piece: { kind: 'count' },
  rasher: { kind: 'count' },
  recipe: { kind: 'count' },
  rib: { kind: 'count', food },
  roll: { kind: 'count', food },
  scoop: { kind: 'count' },
  serving: { kind: 'count' },
  sheet: { kind: 'count' },
  slice: { kind: 'count' },
  spear: { kind: 'count', food },
  splash: { kind: 'count', bare },
  sprig: { kind: 'count', bare },
  sprinkle: { kind: 'count', bare },
  squeeze: { kind: 'count', bare },
  stalk: { kind: 'count' },
  stem: { kind: 'count', food },
  stick: { kind: 'count' },
  strip: { kind: 'count', food },
  tablet: { kind: 'count' },
  twist: { kind: 'count', bare },
  wedge: { kind: 'count', food },
} as const satisfies Record<string, Unit>;

export type UnitName = keyof typeof TABLE;
export const UNITS: Readonly<Record<UnitName, Unit>> = TABLE;

/** Returns undefined for a word that is not a unit. */
export function unitOfWord(word: string): Unit | undefined {
  return Object.hasOwn(UNITS, word) ? UNITS[word as UnitName] : undefined;
}
