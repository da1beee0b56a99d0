/** Judges foods read from labelled texts, and how well the confidence separates right from wrong. */
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readText, type TextItem } from '@larder/text/parse/read-text.ts';
import type { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import {
  isRightAmount,
  isRightEnergy,
  isRightKind,
  type LabelledText,
} from '../../tools/texts/labelled-texts.ts';

export const SURE = 0.9;
const WORST = 100;
const BINS = 10;

export interface JudgedText {
  readonly label: LabelledText;
  readonly items: readonly TextItem[];
  /** There are as many items as labelled foods. */
  readonly count: boolean;
  /** Each labelled food, in order, has an item whose food is of its kind. */
  readonly kind: boolean;
  readonly energy: boolean;
  readonly grams: boolean;
  /** All of these. */
  readonly isRight: boolean;
  /** The probability that all foods are right; undefined if no food was found. */
  readonly confidence: number | undefined;
}

export interface Figures {
  readonly texts: number;
  readonly count: number;
  readonly kind: number;
  readonly energy: number;
  readonly grams: number;
  readonly right: number;
  /** Texts with a confidence of `SURE` or more, and the share of wrong ones among them. */
  readonly sure: number;
  readonly sureWrong: number;
  readonly calibrationError: number;
}

/** Reads each text, with its context stated, as apps do, or inferred from the text. */
export async function judgeTexts(
  labels: readonly LabelledText[],
  finder: Catalogue,
  { isStated = false } = {},
): Promise<JudgedText[]> {
  const judged: JudgedText[] = [];
  for (const label of labels) {
    const context = isStated ? label.context : undefined;
    judged.push(judge(label, (await readText([label.text], { finder, context })).items));
  }
  return judged;
}

export function judge(label: LabelledText, items: readonly TextItem[]): JudgedText {
  const found = items.filter(({ food }) => food !== null);
  if (label.foods.length === 0) {
    const isRight = found.length === 0;
    const confidence = isRight ? undefined : Math.max(...found.map((item) => item.confidence));
    return {
      label,
      items,
      count: isRight,
      kind: isRight,
      energy: isRight,
      grams: isRight,
      isRight,
      confidence,
    };
  }
  const read = items.length === label.foods.length ? items : found;
  const pairs = label.foods.map((food, at) => ({ label: food, item: read[at] }));
  const kind = pairs.every((pair) => pair.item?.food != null && isRightKind(pair.item.food, pair.label));
  const energy = pairs.every((pair) => pair.item?.food != null && isRightEnergy(pair.item.food, pair.label));
  const grams = pairs.every((pair) => isRightAmount(pair.item?.grams ?? undefined, pair.label));
  const most = label.note.startsWith('two') ? 2 : label.foods.length;
  const count = items.length >= label.foods.length && items.length <= most;
  // An item without a food must have a low confidence, because the text may be wrong.
  const confidence = pairs.some(({ item }) => item?.food != null)
    ? pairs.reduce((product, { item }) => product * (item?.confidence ?? 1), 1)
    : undefined;
  return {
    label,
    items,
    count,
    kind,
    energy,
    grams,
    isRight: count && kind && energy && grams,
    confidence,
  };
}

export function figuresOf(judged: readonly JudgedText[]): Figures {
  const sure = judged.filter(({ confidence = 0 }) => confidence >= SURE);
  return {
    texts: judged.length,
    count: share(judged, ({ count }) => count),
    kind: share(judged, ({ kind }) => kind),
    energy: share(judged, ({ energy }) => energy),
    grams: share(judged, ({ grams }) => grams),
    right: share(judged, ({ isRight }) => isRight),
    sure: sure.length,
    sureWrong: share(sure, ({ isRight }) => !isRight),
    calibrationError: calibrationError(judged),
  };
}

function share(some: readonly JudgedText[], is: (each: JudgedText) => boolean): number {
  return some.length === 0 ? 0 : some.filter(is).length / some.length;
}

/** Computed over the texts with a food; a text in which none was found has no probability. */
function calibrationError(judged: readonly JudgedText[]): number {
  const answers = judged.flatMap(({ confidence, isRight }) =>
    confidence === undefined ? [] : [{ confidence, isRight }],
  );
  let error = 0;
  for (const some of Map.groupBy(answers, ({ confidence }) =>
    Math.min(BINS - 1, Math.floor(confidence * BINS)),
  ).values()) {
    const sum = some.reduce((total, { confidence, isRight }) => total + confidence - Number(isRight), 0);
    error += Math.abs(sum) / answers.length;
  }
  return error;
}

/** Writes the wrong ones, the most confident first, to a file of this name in the system's temp folder. */
export function writeWrong(name: string, judged: readonly JudgedText[]): void {
  const file = join(tmpdir(), name);
  const wrong = judged
    .filter(({ isRight }) => !isRight)
    .sort((a, b) => (b.confidence ?? 0) - (a.confidence ?? 0))
    .slice(0, WORST);
  writeFileSync(file, wrong.map(toText).join(''));
  console.log(`${wrong.length} wrong ones, the surest first: ${file}`);
}

function toText({ label, items, confidence = 0, ...is }: JudgedText): string {
  const faults = (['count', 'kind', 'energy', 'grams'] as const).filter((figure) => !is[figure]);
  const expected = label.foods.map(
    ({ any, none, energy, grams }) =>
      `    ${any.join('|')} not ${none.join('|')}; ${energy.join('-')} kcal; ${grams.join('-')} g\n`,
  );
  const said = items.map(
    ({ text, food, grams, note }) =>
      `    "${text}" -> ${food === null ? 'no food' : `${food.name} (${food.per100.energy} kcal)`}, ${grams} g, ${note}\n`,
  );
  return `${label.text}  [${faults.join(' ')}] ${confidence.toFixed(2)} ${label.note}\n${expected.join('')}${said.join('')}`;
}
