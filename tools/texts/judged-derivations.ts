/** Judges ways to read a text by its labels, or by the truth that a composed text is known to have. */
import { CachingFinder } from '@larder/text/parse/caching-finder.ts';
import { candidatesOf, type Sources } from '@larder/text/parse/candidates.ts';
import type { Derivation } from '@larder/text/parse/lattice/derivations.ts';
import {
  itemsOf,
  type Lattice,
  type LatticeItem,
  latticeNow,
} from '@larder/text/parse/lattice/read-lattice.ts';
import { textToRead } from '@larder/text/parse/parse-foods.ts';
import { type ParsedItem, toParsedItem } from '@larder/text/parse/parsed-item.ts';
import type { TextToRead } from '@larder/text/parse/structure/recipe-line.ts';
import type { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import type { ComposedFood, ComposedText } from './composed-texts.ts';
import {
  ENERGY,
  GRAMS,
  KIND,
  type LabelledFood,
  type LabelledText,
  matchedFoods,
  WHOLE,
} from './labelled-texts.ts';

export interface PreparedText {
  readonly text: string;
  readonly set: string | undefined;
  readonly label: LabelledText | ComposedText;
  readonly read: TextToRead;
  readonly lattice: Lattice;
  readonly sources: Sources;
  /** The items of its derivations by key, since derivations share them. */
  readonly parsed: Map<string, ParsedItem>;
}

export interface JudgedDerivation {
  readonly score: number;
  readonly foods: number;
  readonly whole: number;
  readonly invented: number;
  readonly isWhole: boolean;
}

/** Credit for a food by what is right of it; kind is needed. */
const CREDIT: Readonly<Record<number, number>> = {
  0: 0,
  [KIND]: 0.3,
  [KIND + ENERGY]: 0.5,
  [KIND + GRAMS]: 0.6,
  [WHOLE]: 1,
};
const INVENTED_COST = 0.7;
const UNKNOWN_COST = 0.2;
const WHOLE_TEXT = 0.5;

export function prepareText(label: LabelledText | ComposedText, catalogue: Catalogue): PreparedText {
  const finder = new CachingFinder(catalogue);
  const { text } = label;
  const read = textToRead(text, { finder });
  const { names, budget, words, language } = read;
  const sources: Sources = {
    ...{ finder, names, text, budget, words, language },
    ...{ eaten: new Set(), context: 'meal', impliesState: true },
  };
  const set = 'set' in label ? label.set : undefined;
  return { text, set, label, read, lattice: latticeNow(read), sources, parsed: new Map() };
}

export function judgeDerivation(derivation: Derivation, prepared: PreparedText): JudgedDerivation {
  const items = itemsOf(derivation, prepared.read);
  const { label } = prepared;
  if (!('set' in label)) return judgeComposed(items, label.foods);
  return judgeLabelled(
    items.map((item) => parse(item, prepared)),
    label.foods,
  );
}

function parse(item: LatticeItem, { sources, parsed }: PreparedText): ParsedItem {
  const known = parsed.get(item.key) ?? toParsedItem(item, candidatesOf(item, sources), sources);
  parsed.set(item.key, known);
  return known;
}

function judgeComposed(items: readonly LatticeItem[], foods: readonly ComposedFood[]): JudgedDerivation {
  let [score, whole] = [0, 0];
  for (const { start, end, quantity, unit } of foods) {
    const item = items.find(({ named }) => named.start === start && named.end === end);
    const said = item?.amount?.article === true ? undefined : item?.amount;
    const isWhole = item !== undefined && said?.quantity === quantity && said?.unit === unit;
    whole += Number(isWhole);
    score += item === undefined ? 0 : isWhole && item.hits.length > 0 ? 1 : CREDIT[KIND + ENERGY]!;
  }
  return judged({ score, whole, foods: foods.length, invented: Math.max(0, items.length - foods.length) });
}

function judgeLabelled(items: readonly ParsedItem[], foods: readonly LabelledFood[]): JudgedDerivation {
  const { itemOf, byLabel, byItem } = matchedFoods(items, foods);
  const score = byLabel.reduce((sum, fit) => sum + CREDIT[fit]!, 0);
  const invented = items.filter(({ food }, index) => food !== undefined && byItem[index] === 0).length;
  const unknown = items.filter(({ food }) => food === undefined).length;
  const surplus = Math.max(0, unknown - (foods.length - itemOf.size));
  const whole = byLabel.filter((fit) => fit === WHOLE).length;
  return judged({ score: score - UNKNOWN_COST * surplus, whole, foods: foods.length, invented });
}

function judged({ score, whole, foods, invented }: Omit<JudgedDerivation, 'isWhole'>): JudgedDerivation {
  const isWhole = invented === 0 && whole === foods;
  const total = score - INVENTED_COST * invented + (isWhole ? WHOLE_TEXT : 0);
  return { score: total, whole, foods, invented, isWhole };
}
