import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { MEAL_TYPES, type MealType } from '../../src/diary/records/entry.ts';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'shared', 'data', 'nhanes');
const CYCLES = ['07', '09'] as const;
/** DR1_030Z, the name of the eating occasion: 1, 10 and 11 are breakfasts, 2, 5 and 12 lunches, 3, 4 and 14 dinners. */
const MEAL_OF_OCCASION: Readonly<Record<string, MealType>> = {
  '1': 'breakfast',
  '10': 'breakfast',
  '11': 'breakfast',
  '2': 'lunch',
  '5': 'lunch',
  '12': 'lunch',
  '3': 'dinner',
  '4': 'dinner',
  '14': 'dinner',
};

/** The foods that one person ate on one day. */
export interface UserDay {
  readonly userId: string;
  readonly date: string;
  readonly entries: readonly object[];
}

/**
 * The dietary interviews of NHANES 2007-2010 as diary entries: person, food, grams and meal are real.
 * Nutrients are derived from the grams, since the nutrient tables of those years are not available.
 */
export function readNhanesDays(): UserDay[] {
  if (!existsSync(FOLDER)) throw new Error(`NHANES data is not at ${FOLDER}; there is nothing to replay`);
  const days: UserDay[] = [];
  for (const cycle of CYCLES) {
    const names = new Map(rows(`Codes_${cycle}.csv.gz`).map(([code, , name]) => [code, name]));
    for (const day of [1, 2]) {
      const byPerson = new Map<string, string[][]>();
      for (const row of rows(`Day${day}_${cycle}.csv.gz`)) {
        const list = byPerson.get(row[0]!);
        if (list === undefined) byPerson.set(row[0]!, [row]);
        else list.push(row);
      }
      for (const [person, eaten] of byPerson) {
        const date = `20${cycle}-03-0${day}`;
        const entries = eaten.map((row) => toEntry(row, date, names));
        days.push({ userId: `nhanes-${person}`, date, entries });
      }
    }
  }
  return days;
}

function toEntry(
  [, , code, gramsText, , occasion]: string[],
  date: string,
  names: Map<string | undefined, string | undefined>,
) {
  const grams = Number(gramsText) || 0;
  const amount = (share: number) => Math.round(grams * share * 1000) / 1000;
  return {
    date,
    mealType: MEAL_OF_OCCASION[occasion ?? ''] ?? MEAL_TYPES[3],
    foodName: (names.get(code) ?? `Food ${code}`).slice(0, 300) || `Food ${code}`,
    calories: amount(1.31),
    protein: amount(0.052),
    carbs: amount(0.171),
    fat: amount(0.047),
    fiber: amount(0.013),
    sodium: amount(2.9),
    quantity: grams || 1,
    unit: 'g',
  };
}

/** Without the header. Quoted fields may hold commas, never line ends. */
function rows(file: string): string[][] {
  const lines = gunzipSync(readFileSync(join(FOLDER, file)))
    .toString('utf8')
    .split('\n');
  return lines
    .slice(1)
    .filter((line) => line !== '')
    .map((line) =>
      [...line.trimEnd().matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map(
        ([, quoted, bare]) => quoted ?? bare ?? '',
      ),
    );
}
