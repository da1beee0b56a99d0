/** Judges the foods read from labelled texts one by one, in any order. */
import { createHash } from 'node:crypto';
import { readText, type TextItem } from '@larder/text/parse/read-text.ts';
import type { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import {
  ENERGY,
  GRAMS,
  KIND,
  type LabelledText,
  matchedFoods,
  WHOLE,
} from '../../tools/texts/labelled-texts.ts';
import { SURE } from './judged-texts.ts';

export interface JudgedFoods {
  readonly label: LabelledText;
  readonly items: readonly TextItem[];
  /** For each labelled food, the sum of what its item has; 0 without an item. */
  readonly found: readonly number[];
  /** Items with a food that is of no labelled kind. */
  readonly invented: readonly TextItem[];
  readonly sure: number;
  readonly sureWrong: number;
  /** All required foods are whole, and none is invented. */
  readonly isWhole: boolean;
}

export async function judgeFoods(
  labels: readonly LabelledText[],
  finder: Catalogue,
): Promise<readonly JudgedFoods[]> {
  const judged: JudgedFoods[] = [];
  for (const label of labels) {
    const { items } = await readText([label.text], { finder, context: label.context });
    judged.push(judgeItems(label, items));
  }
  return judged;
}

/** Gives each labelled food the item that fits it best; an item answers one label. */
export function judgeItems(label: LabelledText, items: readonly TextItem[]): JudgedFoods {
  const { foods } = label;
  const { itemOf, byLabel, byItem } = matchedFoods(
    items.map(({ food, grams }) => ({ food, basisAmount: grams ?? undefined })),
    foods,
  );
  const found = foods.map(({ partOf }, at) => {
    const host = partOf && itemOf.get(partOf.food);
    const isPart = host !== undefined && hasWord(items[host]!, partOf!.words);
    return isPart ? WHOLE : byLabel[at]!;
  });
  const withFood = items.filter(({ food }) => food !== null);
  const invented = items.filter(({ food }, index) => food !== null && byItem[index] === 0);
  const sure = withFood.filter(({ confidence }) => confidence >= SURE);
  const isRight = (item: TextItem) => byItem[items.indexOf(item)] === WHOLE;
  return {
    label,
    items,
    found,
    invented,
    sure: sure.length,
    sureWrong: sure.filter((item) => !isRight(item)).length,
    isWhole: invented.length === 0 && foods.every(({ isOptional }, at) => isOptional || found[at] === WHOLE),
  };
}

function hasWord({ food }: TextItem, words: readonly string[]): boolean {
  return words.some((word) => food?.name.toLowerCase().includes(word));
}

/** The half of a set that nobody looks at: texts are divided by a hash. */
export function isHeld(text: string): boolean {
  return (createHash('sha256').update(text).digest()[0]! & 1) === 1;
}

export interface FoodFigures {
  readonly texts: number;
  readonly foods: number;
  readonly kind: number;
  readonly energy: number;
  readonly grams: number;
  readonly whole: number;
  readonly wholeTexts: number;
  readonly invented: number;
  readonly sure: number;
  readonly sureWrong: number;
}

export function foodFiguresOf(judged: readonly JudgedFoods[]): FoodFigures {
  const required = judged.flatMap(({ label, found }) =>
    found.filter((_, at) => label.foods[at]!.isOptional !== true),
  );
  const share = (bits: number) =>
    ratio(required.filter((fit) => (fit & bits) === bits).length, required.length);
  const sum = (of: (each: JudgedFoods) => number) => judged.reduce((total, each) => total + of(each), 0);
  const sure = sum((each) => each.sure);
  return {
    texts: judged.length,
    foods: required.length,
    kind: share(KIND),
    energy: share(KIND | ENERGY),
    grams: share(KIND | GRAMS),
    whole: share(WHOLE),
    wholeTexts: ratio(judged.filter(({ isWhole }) => isWhole).length, judged.length),
    invented: sum(({ invented }) => invented.length),
    sure,
    sureWrong: ratio(
      sum((each) => each.sureWrong),
      sure,
    ),
  };
}

function ratio(some: number, all: number): number {
  return all === 0 ? 0 : some / all;
}
