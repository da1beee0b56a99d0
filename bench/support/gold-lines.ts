/**
 * Lines of recipes labelled by hand with what a nutritionist would log: the kind of food, its energy per 100 g, and a range of grams.
 * Reads them over the shipped foods and USDA's survey and SR Legacy foods.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readText, type TextItem } from '@larder/text/parse/read-text.ts';
import { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import { compileCatalogue } from '../../src/foods/compile/compile.ts';
import { importFdc } from './parse-catalogue.ts';
import { hasRealData, readData } from './search-real-data.ts';

const GOLD = 'ingredients/lines.gold.tsv';
const SURE = 0.9;
const WORST = 100;
const BINS = 10;
/** Goals of the figures, in their order in `FIGURES`. */
const FIGURES = ['kind', 'energy', 'grams', 'line'] as const;
const GOALS: Readonly<Record<(typeof FIGURES)[number], number>> = {
  kind: 0.97,
  energy: 0.95,
  grams: 0.93,
  line: 0.9,
};
const SURE_GOAL = 0.03;
const CALIBRATION_GOAL = 0.05;

interface GoldLine {
  readonly number: string;
  readonly text: string;
  /** One of these is in the food's name; empty: the line names no food. */
  readonly any: readonly string[];
  readonly none: readonly string[];
  readonly energy: readonly [number, number];
  /** Both 0: the line states no amount, and any is right. */
  readonly grams: readonly [number, number];
  readonly note: string;
}

interface Judged {
  readonly line: GoldLine;
  readonly items: readonly TextItem[];
  readonly kind: boolean;
  readonly energy: boolean;
  readonly grams: boolean;
  /** Food, energy and grams are right, and the line is one item. */
  readonly isRight: boolean;
  readonly confidence: number;
}

/** Prints the shares of right answers over `lines.gold.tsv`, or another file of its form. */
export async function measureGoldLines(file: string | undefined): Promise<void> {
  if (!hasRealData()) {
    console.log('lines: skipped, since the labelled lines (../shared/data/ingredients) are not there');
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'larder-bench-lines-'));
  try {
    const out = join(folder, 'catalogue');
    await compileCatalogue({ segments: importFdc(folder, ['survey', 'sr_legacy']), out, nowMs: Date.now });
    const catalogue = Catalogue.open(await loadCatalogueImage(out));
    console.log(`${catalogue.info.foods} foods`);
    const judged: Judged[] = [];
    for (const line of readGold(file)) {
      judged.push(
        judge(line, (await readText([line.text], { finder: catalogue, language: undefined })).items),
      );
    }
    print(judged);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readGold(file: string | undefined): GoldLine[] {
  return readData(file ?? GOLD)
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((row) => {
      const [number, text, any, none, low, high, gramsLow, gramsHigh, note = ''] = row.split('\t');
      const words = (field: string | undefined) =>
        (field ?? '').split('|').filter((word) => word !== '' && word !== '-');
      return {
        number: number!,
        text: text!,
        any: words(any),
        none: words(none),
        energy: [Number(low), Number(high)],
        grams: [Number(gramsLow), Number(gramsHigh)],
        note,
      };
    });
}

function judge(line: GoldLine, items: readonly TextItem[]): Judged {
  const foods = items.filter(({ food }) => food !== null);
  const [item] = foods;
  if (line.any.length === 0) {
    const isRight = foods.length === 0;
    const confidence = Math.max(0, ...foods.map((each) => each.confidence));
    return { line, items, kind: isRight, energy: isRight, grams: isRight, isRight, confidence };
  }
  const name = item?.food?.name.toLowerCase() ?? '';
  const has = (words: readonly string[]) => words.some((word) => name.includes(word.toLowerCase()));
  const kind = item !== undefined && has(line.any) && !has(line.none);
  const energy = item !== undefined && isWithin(item.food!.per100.energy, line.energy);
  const grams = item?.grams != null && (line.grams[1] === 0 || isWithin(item.grams, line.grams));
  const isOne = line.note.startsWith('two') ? items.length <= 2 : items.length === 1;
  return {
    line,
    items,
    kind,
    energy,
    grams,
    isRight: kind && energy && grams && isOne,
    confidence: item?.confidence ?? 0,
  };
}

function isWithin(value: number, [low, high]: readonly [number, number]): boolean {
  return value >= low && value <= high;
}

function print(judged: readonly Judged[]): void {
  const share = (some: readonly Judged[], is: (each: Judged) => boolean) =>
    some.length === 0 ? 0 : some.filter(is).length / some.length;
  for (const figure of FIGURES) {
    const value = share(judged, (each) => (figure === 'line' ? each.isRight : each[figure]));
    console.log(`${figure.padEnd(8)} right ${value.toFixed(3)}  goal ${GOALS[figure]}`);
  }
  const sure = judged.filter(({ confidence }) => confidence >= SURE);
  const wrong = share(sure, ({ isRight }) => !isRight);
  console.log(
    `sure     wrong ${wrong.toFixed(3)}  goal ${SURE_GOAL}  (of ${sure.length} with ${SURE} or more)`,
  );
  console.log(`calibration error ${calibrationError(judged).toFixed(3)}  goal ${CALIBRATION_GOAL}`);
  const file = join(tmpdir(), 'larder-lines-worst.txt');
  const worst = judged
    .filter(({ isRight }) => !isRight)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, WORST);
  writeFileSync(file, worst.map(toText).join(''));
  console.log(`${worst.length} wrong lines, the surest first: ${existsSync(file) ? file : 'not written'}`);
}

function calibrationError(judged: readonly Judged[]): number {
  let error = 0;
  for (const some of Map.groupBy(judged, ({ confidence }) =>
    Math.min(BINS - 1, Math.floor(confidence * BINS)),
  ).values()) {
    const sum = some.reduce((total, { confidence, isRight }) => total + confidence - Number(isRight), 0);
    error += Math.abs(sum) / judged.length;
  }
  return error;
}

function toText({ line, items, kind, energy, grams, confidence }: Judged): string {
  const faults = [!kind && 'kind', !energy && 'energy', !grams && 'grams', items.length !== 1 && 'items'];
  const said = items.map(
    ({ text, food, grams: weight, note }) =>
      `    "${text}" -> ${food === null ? 'no food' : `${food.name} (${food.per100.energy} kcal)`}, ${weight} g, ${note}\n`,
  );
  const expected = `${line.any.join('|')} not ${line.none.join('|')}; ${line.energy.join('-')} kcal; ${line.grams.join('-')} g`;
  return `${line.number} ${line.text}  [${faults.filter(Boolean).join(' ')}] ${confidence.toFixed(2)}\n    ${expected} ${line.note}\n${said.join('')}`;
}
