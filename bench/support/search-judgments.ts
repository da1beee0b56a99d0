import { createHash } from 'node:crypto';
import { tokenise } from '@larder/core/words/tokenise.ts';
import type { SearchItem } from './search-engine.ts';
import { Random } from './search-random.ts';
import { csvRows, readData, tsvColumn } from './search-real-data.ts';

/** A name that people use for a food, and the foods that it means. */
export interface Judgment {
  readonly query: string;
  readonly codes: ReadonlySet<string>;
  /** How many words of the query are in the names of the foods: none, some or all. */
  readonly overlap: string;
  /** Not among the aliases that the word vectors were trained with; see `training/words/`. */
  readonly isHeldOut: boolean;
}

export interface JudgedFood extends SearchItem {
  /** The code that judgments name; foods of other tables have none. */
  readonly code?: string;
}

/** The value that the import gives to foods of such tables. */
const GENERIC = { popularity: 160, isGeneric: true } as const;

export function readJudgments(): Judgment[] {
  return readData('judgments/fndds_2021_2023.tsv')
    .trimEnd()
    .split('\n')
    .slice(1)
    .map((line) => {
      const [query, codes, , , overlap] = line.split('\t');
      const isHeldOut = isHeldOutCode(codes!.split(',')[0]!);
      return { query: query!, codes: new Set(codes!.split(',')), overlap: overlap!, isHeldOut };
    });
}

/**
 * USDA survey foods without the judged aliases, and SR Legacy, in static order. Judged aliases are removed,
 * because otherwise the index would contain the answers.
 */
export function readFoods(judgments: readonly Judgment[]): JudgedFood[] {
  const judged = new Set(judgments.map(({ query }) => normalised(query)));
  const codeOf = new Map(
    csvRows(readData('fdc/survey/survey_fndds_food.csv')).map((row) => [row['fdc_id'], row['food_code']!]),
  );
  const aliasesOf = Map.groupBy(
    csvRows(readData('fdc/survey/food_attribute.csv')).filter(
      (row) => row['food_attribute_type_id'] === '1001',
    ),
    (row) => row['fdc_id'],
  );
  const survey = csvRows(readData('fdc/survey/food.csv')).map((row) => {
    const code = codeOf.get(row['fdc_id']) ?? '';
    const aliases = (aliasesOf.get(row['fdc_id']) ?? [])
      .map((alias) => alias['value']!)
      .filter((alias) => !judged.has(normalised(alias)));
    return { name: row['description']!, aliases, code, ...GENERIC };
  });
  const legacy = csvRows(readData('fdc/sr_legacy/food.csv')).map((row) => ({
    name: row['description']!,
    ...GENERIC,
  }));
  return inStaticOrder([...survey, ...legacy]);
}

/** Real product names as distractors. */
export function readDistractors(count: number): SearchItem[] {
  const names = tsvColumn(readData('off/products_2019.tsv.gz'), 1).filter((name) => name.trim().length >= 3);
  const random = new Random({ seed: 17 });
  return Array.from({ length: count }, () => ({
    name: random.pick(names),
    popularity: 0,
  }));
}

export function inStaticOrder<Food extends SearchItem>(foods: readonly Food[]): Food[] {
  return foods.toSorted((a, b) => b.popularity - a.popularity || a.name.length - b.name.length);
}

/** A third of all, by the first food; `training/words/data.py` has the same rule. */
function isHeldOutCode(code: string): boolean {
  return createHash('sha256').update(code).digest().readUInt32BE(0) % 3 === 0;
}

function normalised(text: string): string {
  return tokenise(text, 40).join(' ');
}
