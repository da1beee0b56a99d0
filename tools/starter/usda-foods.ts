import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { NUTRIENT_FORMS, NUTRIENTS, type PartialNutrients } from '@larder/core/nutrients.ts';
import { DelimitedReader } from '../../src/foods/import/readers/delimited.ts';
import { inspectSourceFile, readSourceFile } from '../../src/foods/import/readers/source-file.ts';

/** The fields of a FoodData Central food that the starter tables use. */
export interface UsdaFood {
  readonly description: string;
  readonly per100: PartialNutrients;
  /** Grams in one millilitre, if a portion by volume states it; undefined for foods that are not poured. */
  readonly density: number | undefined;
  /** The NHANES code of a survey food in diaries. */
  readonly foodCode: string | undefined;
}

/** Nutrient ids of FoodData Central, best first; `factor` turns the amount into the catalogue's unit. */
const NUTRIENT_IDS = NUTRIENTS.map(({ key, fdc = [] }) => ({
  key,
  ids: [
    ...fdc.map(([id]) => ({ id: String(id), factor: 1 })),
    ...NUTRIENT_FORMS.filter(({ of }) => of === key).flatMap(({ fdc: ids = [], factor = 1 }) =>
      ids.map(([id]) => ({ id: String(id), factor })),
    ),
  ],
}));

/** US food labels count 30 ml to the fluid ounce and 240 ml to the cup: 21 CFR 101.9(b)(5)(viii). */
const FLUID_OUNCE_ML = 30;
/** Portions of drinks, with or without ice. */
const FLUID_OUNCE = /^(1 )?fl oz( \((no ice|NFS)\))?$/;

/** Each folder of `dataDir` contains one FoodData Central bundle as CSV; large files may be gzipped. */
const BUNDLES = [
  { folder: 'sr_legacy', suffix: '', portions: true, codes: false },
  { folder: 'survey', suffix: '', portions: true, codes: true },
  { folder: 'branded', suffix: '.gz', portions: false, codes: false },
] as const;

/** Reads every food of the USDA files below `dataDir`, by FDC id. */
export async function readUsdaFoods(dataDir: string): Promise<ReadonlyMap<string, UsdaFood>> {
  const foods = new Map<string, UsdaFood>();
  for (const { folder, suffix, portions, codes } of BUNDLES) {
    const dir = join(dataDir, folder);
    const amounts = await readAmounts(join(dir, 'food_nutrient.csv.gz'));
    const densities = portions ? await readDensities(join(dir, 'food_portion.csv')) : new Map();
    const foodCodes = codes ? await readFoodCodes(join(dir, 'survey_fndds_food.csv')) : new Map();
    await eachRow(join(dir, `food.csv${suffix}`), ['fdc_id', 'description'], (fdcId, description) => {
      foods.set(fdcId, {
        description,
        per100: toPer100(amounts.get(fdcId) ?? new Map()),
        density: densities.get(fdcId),
        foodCode: foodCodes.get(fdcId),
      });
    });
  }
  addFoundationFoods(join(dataDir, 'foundation_9.json'), foods);
  return foods;
}

type Amounts = Map<string, number>;

async function readAmounts(path: string): Promise<Map<string, Amounts>> {
  const wanted = new Set(NUTRIENT_IDS.flatMap(({ ids }) => ids.map(({ id }) => id)));
  const byFood = new Map<string, Amounts>();
  await eachRow(path, ['fdc_id', 'nutrient_id', 'amount'], (fdcId, nutrientId, amount) => {
    if (amount === '' || !wanted.has(nutrientId)) return;
    const amounts: Amounts = byFood.get(fdcId) ?? new Map();
    amounts.set(nutrientId, Number(amount));
    byFood.set(fdcId, amounts);
  });
  return byFood;
}

async function readDensities(path: string): Promise<Map<string, number>> {
  const densities = new Map<string, number>();
  await eachRow(
    path,
    ['fdc_id', 'amount', 'portion_description', 'modifier', 'gram_weight'],
    (fdcId, amount, description, modifier, gramWeight) => {
      if (!FLUID_OUNCE.test(description) && !FLUID_OUNCE.test(modifier)) return;
      densities.set(fdcId, Number(gramWeight) / Number(amount || 1) / FLUID_OUNCE_ML);
    },
  );
  return densities;
}

async function readFoodCodes(path: string): Promise<Map<string, string>> {
  const codes = new Map<string, string>();
  await eachRow(path, ['fdc_id', 'food_code'], (fdcId, code) => codes.set(fdcId, code));
  return codes;
}

interface FoundationFood {
  readonly fdcId: number;
  readonly description: string;
  readonly foodNutrients: ReadonlyArray<{ nutrient: { id: number }; amount?: number }>;
}

function addFoundationFoods(path: string, foods: Map<string, UsdaFood>): void {
  const file = JSON.parse(readFileSync(path, 'utf8')) as { FoundationFoods: FoundationFood[] };
  for (const { fdcId, description, foodNutrients } of file.FoundationFoods) {
    const amounts: Amounts = new Map();
    for (const { nutrient, amount } of foodNutrients) {
      if (amount !== undefined) amounts.set(String(nutrient.id), amount);
    }
    foods.set(String(fdcId), {
      description,
      per100: toPer100(amounts),
      density: undefined,
      foodCode: undefined,
    });
  }
}

function toPer100(amounts: Amounts): PartialNutrients {
  const per100: PartialNutrients = {};
  for (const { key, ids } of NUTRIENT_IDS) {
    const known = ids.find(({ id }) => amounts.has(id));
    if (known !== undefined) per100[key] = amounts.get(known.id)! * known.factor;
  }
  return per100;
}

/** Calls `onRow` with the texts of `columns`, in their order. A broken row ends the reading. */
export async function eachRow(
  path: string,
  columns: readonly string[],
  onRow: (...texts: string[]) => void,
): Promise<void> {
  const reader = new DelimitedReader({
    delimiter: ',',
    quoted: true,
    columns,
    onRow: (row) => onRow(...columns.map((column) => row.text(column))),
    onBroken: (line, reason) => {
      throw new OperatorError(`${path}:${line}: ${reason}`);
    },
  });
  const file = await inspectSourceFile(path);
  for await (const chunk of readSourceFile(file)) reader.push(chunk);
  reader.end();
}
