/**
 * Measures how many foods of a meal, as people type it into a diary, are right with energy and grams. Reads the
 * meals of the real-data folder in two halves, of which one is kept from those who work on the reader, and the
 * project's own labelled texts. Then come the recipe lines, the quantities of ingredient lines, and NutriBench.
 * `--part gold|labels|lines|told` runs one of them. Misses of the half `dev` go to the system's temp folder.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readText } from '@larder/text/parse/read-text.ts';
import type { Catalogue } from '../src/foods/catalogue/catalogue.ts';
import { readLabelledTexts } from '../tools/texts/labelled-texts.ts';
import { measureGoldLines } from './support/gold-lines.ts';
import {
  type FoodFigures,
  foodFiguresOf,
  isHeld,
  type JudgedFoods,
  judgeFoods,
} from './support/judged-foods.ts';
import { withFoods } from './support/parse-catalogue.ts';
import { measureLines } from './support/parse-lines.ts';
import { measureToldMeals } from './support/parse-meals.ts';
import { timingOf, toText } from './support/search-figures.ts';
import { hasRealData, realDataPath } from './support/search-real-data.ts';

const GOLD = 'meals/real.gold.tsv';
const OWN = fileURLToPath(new URL('../training/texts/', import.meta.url));
const USDA = ['survey', 'sr_legacy'];
/** Languages that are reported apart from the six others. */
const NEWER: ReadonlySet<string> = new Set(['nl', 'pl']);
const REPEATS = 3;

const COLUMNS: Readonly<Record<string, (figures: FoodFigures) => string>> = {
  texts: ({ texts }) => String(texts),
  foods: ({ foods }) => String(foods),
  kind: ({ kind }) => kind.toFixed(3),
  energy: ({ energy }) => energy.toFixed(3),
  grams: ({ grams }) => grams.toFixed(3),
  whole: ({ whole }) => whole.toFixed(3),
  text: ({ wholeTexts }) => wholeTexts.toFixed(3),
  invent: ({ invented }) => String(invented),
  sure: ({ sure }) => String(sure),
  wrong: ({ sureWrong }) => sureWrong.toFixed(3),
};

const { values } = parseArgs({ options: { part: { type: 'string' }, catalogue: { type: 'string' } } });
const has = (part: string) => values.part === undefined || values.part === part;

await withFoods([], async (catalogue) => {
  if (has('gold') && hasRealData()) await measureGold(catalogue);
  if (has('labels')) await measureOwn(catalogue);
});
if (hasRealData()) {
  if (has('lines')) {
    await withFoods(USDA, (catalogue) => measureGoldLines(catalogue));
    await measureLines(undefined);
  }
  if (has('told')) await withFoods(['survey'], measureToldMeals);
} else {
  console.log('meals and lines: skipped, since the real data (../shared/data) are not there');
}

async function measureGold(catalogue: Catalogue): Promise<void> {
  const judged = await judgeFoods(readLabelledTexts(realDataPath(GOLD)), catalogue);
  const isNewer = ({ label }: JudgedFoods) => NEWER.has(label.language ?? '');
  const dev = judged.filter(({ label }) => !isHeld(label.text));
  const held = judged.filter(({ label }) => isHeld(label.text));
  const rows = [
    ['dev', dev.filter((each) => !isNewer(each))],
    ['held', held.filter((each) => !isNewer(each))],
    ...Map.groupBy(judged, ({ label }) => label.language ?? ''),
    ['all', judged],
  ] as [string, JudgedFoods[]][];
  print('meals as people type them', rows);
  await printTimes(judged, catalogue);
  writeMisses(dev);
}

async function measureOwn(catalogue: Catalogue): Promise<void> {
  const files = readdirSync(OWN).filter((file) => file.endsWith('.tsv'));
  const judged = await judgeFoods(
    files.flatMap((file) => readLabelledTexts(join(OWN, file))),
    catalogue,
  );
  print('own labelled texts', [...Map.groupBy(judged, ({ label }) => label.set ?? '')]);
}

function print(title: string, rows: readonly (readonly [string, readonly JudgedFoods[]])[]): void {
  console.log(title);
  console.log(row('', Object.keys(COLUMNS)));
  for (const [name, judged] of rows) {
    const figures = foodFiguresOf(judged);
    console.log(
      row(
        name,
        Object.values(COLUMNS).map((of) => of(figures)),
      ),
    );
  }
}

function row(name: string, cells: readonly string[]): string {
  return name.padEnd(8) + cells.map((cell) => cell.padStart(7)).join('');
}

async function printTimes(judged: readonly JudgedFoods[], finder: Catalogue): Promise<void> {
  const times: number[] = [];
  for (const { label } of judged) {
    let fastest = Number.POSITIVE_INFINITY;
    for (let repeat = 0; repeat < REPEATS; repeat++) {
      const started = performance.now();
      await readText([label.text], { finder });
      fastest = Math.min(fastest, performance.now() - started);
    }
    times.push(fastest);
  }
  console.log('ms a meal               p50      p95      p99      max');
  console.log(`the fastest of ${REPEATS}  ${toText(timingOf(times))}`);
}

function writeMisses(dev: readonly JudgedFoods[]): void {
  const file = join(tmpdir(), 'larder-meals-misses.txt');
  const lines = dev
    .filter(({ isWhole }) => !isWhole)
    .map(({ label, items, found }) =>
      [
        `${label.language} ${label.text}`,
        ...label.foods.map(
          ({ any, energy, grams, isOptional }, at) =>
            `    ${found[at]} ${any.join('|')}; ${energy.join('-')} kcal; ${grams.join('-')} g${isOptional ? ' (optional)' : ''}`,
        ),
        ...items.map(
          ({ text, food, grams, note, confidence }) =>
            `    "${text}" -> ${food === null ? 'no food' : `${food.name} (${food.per100.energy} kcal)`}, ${grams} g, ${note}, ${confidence}`,
        ),
      ].join('\n'),
    );
  writeFileSync(file, `${lines.join('\n')}\n`);
  console.log(`${lines.length} texts of dev that are not whole: ${file}`);
}
