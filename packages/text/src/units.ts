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

const food = true;
const bare = true;

const TABLE = {
  mg: { kind: 'mass', grams: GRAMS_PER.mg },
  g: { kind: 'mass', grams: GRAMS_PER.g },
  dag: { kind: 'mass', grams: GRAMS_PER.dag },
  hg: { kind: 'mass', grams: GRAMS_PER.hg },
  kg: { kind: 'mass', grams: GRAMS_PER.kg },
  oz: { kind: 'mass', grams: GRAMS_PER.oz },
  lb: { kind: 'mass', grams: GRAMS_PER.lb },
  metric_pound: { kind: 'mass', grams: GRAMS_PER.metric_pound },
  ml: { kind: 'volume', ml: ML_PER.ml },
  cl: { kind: 'volume', ml: ML_PER.cl },
  dl: { kind: 'volume', ml: ML_PER.dl },
  l: { kind: 'volume', ml: ML_PER.l },
  tsp: { kind: 'volume', ml: ML_PER.tsp },
  dessertspoon: { kind: 'volume', ml: ML_PER.dessertspoon },
  tbsp: { kind: 'volume', ml: ML_PER.tbsp },
  fl_oz: { kind: 'volume', ml: ML_PER.fl_oz },
  cup: { kind: 'volume', ml: ML_PER.cup },
  pint: { kind: 'volume', ml: ML_PER.pint },
  quart: { kind: 'volume', ml: ML_PER.quart },
  gallon: { kind: 'volume', ml: ML_PER.gallon },
  pinch: { kind: 'volume', ml: ML_PER.pinch, bare },
  knife_tip: { kind: 'volume', ml: ML_PER.knife_tip, bare },
  dash: { kind: 'volume', ml: ML_PER.dash, bare },
  drop: { kind: 'volume', ml: ML_PER.drop, bare },
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
  square: { kind: 'count', food },
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
