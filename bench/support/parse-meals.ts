/**
 * Meals in words against the nutrients that a survey recorded for them: the share of meals whose carbohydrate is within 7.5 g
 * (Acc@7.5, as NutriBench counts), the mean error, and the share whose energy is within 20 % or 50 kcal.
 */
import { existsSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFoods } from '@larder/text/parse/parse-foods.ts';
import type { ParsedItem } from '@larder/text/parse/parsed-item.ts';
import { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import { compileCatalogue } from '../../src/foods/compile/compile.ts';
import { ensureGeneratedSegment } from './generated-catalogue.ts';
import { importFdc, segmentsOf } from './parse-catalogue.ts';
import { measureHostileTexts } from './parse-hostile.ts';
import { timingOf, toText } from './search-figures.ts';
import { hasRealData, readData } from './search-real-data.ts';

const MEALS = 'meals/meals.dev.tsv.gz';
const NEAR_CARBOHYDRATE_G = 7.5;
const NEAR_ENERGY_SHARE = 0.2;
const NEAR_ENERGY_KCAL = 50;
const WORST = 50;
const BINS = 10;
const PRODUCTS = 3_900_000;
const REPEATS = 3;

interface Meal {
  readonly set: string;
  readonly text: string;
  readonly energy: number;
  readonly carbohydrates: number;
}

interface Reading {
  readonly meal: Meal;
  readonly energy: number;
  readonly carbohydrates: number;
  readonly confidence: number;
  readonly items: readonly ParsedItem[];
}

/** Reads meals over the survey foods, together with the imported foods of `data`. */
export function measureMeals(data: string | undefined): Promise<void> {
  return withCatalogue(data === undefined ? [] : segmentsOf(data), (catalogue) =>
    measure(catalogue, readMeals()),
  );
}

/** Measures reading of meals among millions of products, which shows the time of a full catalogue. */
export function measureMealsAmongProducts(): Promise<void> {
  return withCatalogue([ensureGeneratedSegment(PRODUCTS)], (catalogue) => measure(catalogue, readMeals()));
}

/** Prints how near the nutrients of each set of meals are, without times. */
export async function measureToldMeals(catalogue: Catalogue): Promise<void> {
  const readings = readMeals().map((meal) =>
    toReading(meal, parseFoods(meal.text, { finder: catalogue, context: 'meal' })),
  );
  for (const [set, own] of Map.groupBy(readings, ({ meal }) => meal.set)) print(set.padEnd(11), own);
}

/** Texts made to be expensive. */
export function measureHostile(): Promise<void> {
  return withCatalogue([ensureGeneratedSegment(PRODUCTS)], (catalogue) => {
    const meals = readMeals().map(({ text }) => text);
    return measureHostileTexts(catalogue, meals);
  });
}

async function withCatalogue(
  products: readonly string[],
  use: (catalogue: Catalogue) => void | Promise<void>,
): Promise<void> {
  if (!hasRealData()) {
    console.log('parse: skipped, since the meals (../shared/data/meals) are not there');
    return;
  }
  const folder = await mkdtemp(join(tmpdir(), 'larder-bench-parse-'));
  try {
    const segments = [...products, ...importFdc(folder, ['survey'])];
    const out = join(folder, 'catalogue');
    await compileCatalogue({ segments, out, nowMs: Date.now });
    const catalogue = Catalogue.open(await loadCatalogueImage(out));
    console.log(`${catalogue.info.foods} foods`);
    await use(catalogue);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function readMeals(): Meal[] {
  return readData(MEALS)
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [set, text, energy, carbohydrates] = line.split('\t');
      return { set: set!, text: text!, energy: Number(energy), carbohydrates: Number(carbohydrates) };
    });
}

function measure(catalogue: Catalogue, meals: readonly Meal[]): void {
  for (const { text } of meals.slice(0, 200)) parseFoods(text, { finder: catalogue });
  const first = meals.map(({ text }) => timeOf(text, catalogue));
  const fastest = meals.map(({ text }, at) => {
    const again = Array.from({ length: REPEATS - 1 }, () => timeOf(text, catalogue));
    return Math.min(first[at]!, ...again);
  });
  const readings = meals.map((meal) => toReading(meal, parseFoods(meal.text, { finder: catalogue })));
  const naive = meals.map((meal) => naiveReading(meal, catalogue));
  for (const [name, some] of [
    ['parse', readings],
    ['naive', naive],
  ] as const) {
    for (const [set, own] of Map.groupBy(some, ({ meal }) => meal.set))
      print(`${name.padEnd(6)} ${set.padEnd(11)}`, own);
    print(`${name.padEnd(6)} ${'all'.padEnd(11)}`, some);
  }
  console.log(`calibration error of confidence: ${calibrationError(readings).toFixed(3)} (goal 0.05)`);
  console.log('ms a meal               p50      p95      p99      max');
  console.log(`read once         ${toText(timingOf(first))}`);
  console.log(`the fastest of ${REPEATS}  ${toText(timingOf(fastest))}`);
  printMisses(readings);
}

function timeOf(text: string, finder: Catalogue): number {
  const started = performance.now();
  parseFoods(text, { finder });
  return performance.now() - started;
}

function toReading(meal: Meal, items: readonly ParsedItem[]): Reading {
  const sum = (key: 'energy' | 'carbohydrates') =>
    items.reduce(
      (total, { food, basisAmount = 0 }) => total + ((food?.per100[key] ?? 0) * basisAmount) / 100,
      0,
    );
  return {
    meal,
    items,
    energy: sum('energy'),
    carbohydrates: sum('carbohydrates'),
    confidence: items.reduce((product, item) => product * item.confidence, 1),
  };
}

/**
 * A baseline of ten lines: splits at commas and "and", reads the first number as grams, takes the first hit.
 * In a text that weighs foods only the weighed parts count.
 */
function naiveReading(meal: Meal, catalogue: Catalogue): Reading {
  const weighs = /\d\s?g\b/.test(meal.text);
  const items = meal.text.split(/,|\band\b|\bwith\b/).flatMap((part): ParsedItem[] => {
    const amount = /(\d+(?:\.\d+)?)\s?g\b(?: of)?(.*)/.exec(part);
    if (weighs && amount === null) return [];
    const words = (amount?.[2] ?? part).trim();
    const [food] = catalogue.search(words, 1);
    if (food === undefined) return [];
    const basisAmount = amount === null ? food.servings[0].basisAmount : Number(amount[1]);
    return [
      {
        text: words,
        start: 0,
        end: 0,
        food,
        basisAmount,
        alternatives: [],
        candidates: [],
        confidence: 1,
        assumed: [],
      },
    ];
  });
  return toReading(meal, items);
}

function isNear({ meal, carbohydrates }: Reading): boolean {
  return Math.abs(carbohydrates - meal.carbohydrates) <= NEAR_CARBOHYDRATE_G;
}

function print(title: string, readings: readonly Reading[]): void {
  const share = (is: (reading: Reading) => boolean) =>
    ((100 * readings.filter(is).length) / readings.length).toFixed(1).padStart(5);
  const error =
    readings.reduce((sum, { meal, carbohydrates }) => sum + Math.abs(carbohydrates - meal.carbohydrates), 0) /
    readings.length;
  const isEnergyNear = ({ meal, energy }: Reading) =>
    Math.abs(energy - meal.energy) <= Math.max(NEAR_ENERGY_KCAL, NEAR_ENERGY_SHARE * meal.energy);
  console.log(
    `${title} ${String(readings.length).padStart(5)} meals  Acc@7.5 ${share(isNear)} %  ` +
      `mean error ${error.toFixed(1).padStart(5)} g  energy near ${share(isEnergyNear)} %`,
  );
}

/**
 * Expected calibration error: mean distance between the confidence of meals and the share of near ones, over
 * ten bins.
 */
function calibrationError(readings: readonly Reading[]): number {
  const bins = Map.groupBy(readings, ({ confidence }) => Math.min(BINS - 1, Math.floor(confidence * BINS)));
  let error = 0;
  for (const [bin, some] of [...bins].sort(([a], [b]) => a - b)) {
    const said = some.reduce((sum, { confidence }) => sum + confidence, 0) / some.length;
    const near = some.filter(isNear).length / some.length;
    console.log(
      `  confidence ${(bin / BINS).toFixed(1)}: ${String(some.length).padStart(5)} meals, said ${said.toFixed(2)}, near ${near.toFixed(2)}`,
    );
    error += (some.length / readings.length) * Math.abs(said - near);
  }
  return error;
}

/** The worst meals go to a file, since they are for evaluation only. */
function printMisses(readings: readonly Reading[]): void {
  const missed = readings.filter((reading) => !isNear(reading));
  const classOf = ({ items, meal, carbohydrates }: Reading) => {
    if (items.some(({ food }) => food === undefined)) return 'a food is unknown';
    if (items.some(({ basisAmount }) => basisAmount === undefined)) return 'an amount is unknown';
    if (items.some(({ assumed }) => assumed.length > 0)) return 'an amount was assumed';
    return carbohydrates > meal.carbohydrates ? 'too much' : 'too little';
  };
  for (const [name, some] of Map.groupBy(missed, classOf)) console.log(`  missed, ${name}: ${some.length}`);
  const worst = missed
    .sort(
      (a, b) =>
        Math.abs(b.carbohydrates - b.meal.carbohydrates) - Math.abs(a.carbohydrates - a.meal.carbohydrates),
    )
    .slice(0, WORST)
    .map(({ meal, items, carbohydrates }) =>
      [
        `${meal.set}: ${meal.text}`,
        `  carbohydrate ${meal.carbohydrates.toFixed(1)} g, read ${carbohydrates.toFixed(1)} g`,
        ...items.map(
          ({ start, end, food, basisAmount, source }) =>
            `    "${meal.text.slice(start, end)}" ${basisAmount?.toFixed(0)} (${source}) ${food?.name}`,
        ),
      ].join('\n'),
    );
  const file = join(tmpdir(), 'larder-bench-worst-meals.txt');
  writeFileSync(file, `${worst.join('\n\n')}\n`);
  console.log(`worst ${worst.length} meals: ${existsSync(file) ? file : ''}`);
}
