import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { fold } from '@larder/core/words/tokenise.ts';
import { nameWords } from '@larder/text/parse/names/name-words.ts';
import { readTraits, TRAITS } from '@larder/text/parse/names/traits.ts';
import {
  GENERIC_TABLE,
  LIST_SEPARATOR,
  numberIn,
  readTable,
  STARTER_COLUMNS,
  type StarterColumn,
  type TableRow,
} from '../../src/foods/starter/starter-table.ts';
import { parseRecipe } from './recipe.ts';
import { readUsdaFoods } from './usda-foods.ts';

/** A share of the median in the tables that the energy of a food may differ by, in either direction. */
const MAX_SHARE = 1 / 3;
/** Differences that no portion shows, in kcal per 100 g. */
const MIN_KCAL = 15;
/** Decisions of people on foods that differ, with the reason of each. */
const DECISIONS = new URL('energy-decisions.tsv', import.meta.url);

/** A food of a survey or composition table. */
interface TableFood {
  readonly table: string;
  readonly name: string;
  /** In kcal per 100 g. */
  readonly energy: number;
}

/** A shipped food whose energy differs from that of foods with its name. */
export interface Difference {
  readonly key: string;
  readonly name: string;
  /** In kcal per 100 g. */
  readonly energy: number;
  /** The median of foods with its name. */
  readonly median: number;
  readonly like: readonly TableFood[];
  /** Why the difference is right; undefined if nobody decided. */
  readonly reason: string | undefined;
}

export interface Comparison {
  readonly foods: number;
  /** Foods that a table names alike. */
  readonly compared: number;
  readonly within: number;
  readonly decided: readonly Difference[];
  readonly undecided: readonly Difference[];
  /** Keys of decisions about foods that differ no more. */
  readonly outdated: readonly string[];
}

/**
 * Compares the energy of each shipped generic food with foods of the same name and state in USDA's tables, CIQUAL
 * (France) and BLS (Germany) below `dataDir`, but with none that its own figures rest on.
 */
export async function compareEnergies(dataDir: string): Promise<Comparison> {
  const rows = readTable(GENERIC_TABLE, STARTER_COLUMNS);
  const byName = await readTables(dataDir);
  const reasons = new Map(
    readTable(DECISIONS, ['key', 'reason']).map(({ values: { key, reason } }) => [key, reason]),
  );
  let [compared, within] = [0, 0];
  const differences: Difference[] = [];
  for (const row of rows) {
    const like = foodsLike(row, byName);
    if (like.length === 0) continue;
    compared++;
    const energy = numberIn(row, 'energy')! / (numberIn(row, 'density') ?? 1);
    const median = medianOf(like.map((food) => food.energy));
    const isNear = like.some((food) => isAlike(energy, food.energy)) && isAlike(energy, median);
    if (isNear) within++;
    else {
      const { key, name } = row.values;
      differences.push({ key, name, energy, median, like, reason: reasons.get(key) });
    }
  }
  const open = new Set(differences.map(({ key }) => key));
  return {
    foods: rows.length,
    compared,
    within,
    decided: differences.filter(({ reason }) => reason !== undefined),
    undecided: differences.filter(({ reason }) => reason === undefined),
    outdated: [...reasons.keys()].filter((key) => !open.has(key)),
  };
}

function isAlike(energy: number, other: number): boolean {
  return Math.abs(energy - other) <= Math.max(MIN_KCAL, MAX_SHARE * other);
}

/** Foods of the tables by the words of their names and their state. */
type Tables = ReadonlyMap<string, readonly (TableFood & { readonly id?: string })[]>;

async function readTables(dataDir: string): Promise<Tables> {
  const byName = new Map<string, (TableFood & { readonly id?: string })[]>();
  const add = (food: TableFood & { readonly id?: string }) => {
    const key = keyOf(food.name);
    if (key !== undefined) byName.set(key, [...(byName.get(key) ?? []), food]);
  };
  for (const [id, { description: name, per100, foodCode }] of await readUsdaFoods(join(dataDir, 'fdc'))) {
    // Names of branded products are in capitals.
    if (per100.energy === undefined || name === name.toUpperCase()) continue;
    add({ table: foodCode === undefined ? 'SR Legacy' : 'FNDDS', name, energy: per100.energy, id });
  }
  for (const [table, file] of [
    ['CIQUAL', 'ciqual_2025.json.gz'],
    ['BLS', 'bls_2025.json.gz'],
  ] as const) {
    const foods = JSON.parse(
      gunzipSync(readFileSync(join(dataDir, 'eu', file))).toString(),
    ) as EuropeanFood[];
    for (const { calorie: energy, ...names } of foods) {
      if (energy === null) continue;
      const own = table === 'BLS' ? names.nome : (names.nome_fr ?? '');
      for (const name of new Set([own, names.nome_en ?? ''])) add({ table, name, energy });
    }
  }
  return byName;
}

interface EuropeanFood {
  readonly nome: string;
  readonly nome_en?: string;
  readonly nome_fr?: string;
  readonly calorie: number | null;
}

/** Foods with a name of the food; the same value of one table counts once. */
function foodsLike({ values }: TableRow<StarterColumn>, tables: Tables): TableFood[] {
  const own = new Set(parseRecipe(values.usda).map(({ fdcId }) => fdcId));
  const usual = [values.name, firstOf(values.de), firstOf(values.fr)];
  const others = [values.aliases, values.de, values.fr].flatMap((names) => names.split(LIST_SEPARATOR));
  const found = new Map<string, TableFood>();
  for (const names of [usual, others]) {
    for (const implied of COOKED.has(values.category) ? [0, TRAITS.cooked] : [0]) {
      if (found.size > 0) break;
      for (const name of names) {
        for (const { id, ...food } of tables.get(keyOf(name, implied) ?? '') ?? []) {
          if (id === undefined || !own.has(id)) found.set(`${food.table} ${food.energy}`, food);
        }
      }
    }
  }
  return [...found.values()];
}

function firstOf(names: string): string {
  return names.split(LIST_SEPARATOR)[0]!;
}

/** Words of table names that say nothing of the kind. */
const FILLERS = new Set(
  'nfs food fresh average all type variety commercially prepared includes usda without salt added regular plain home recipe unprepared enriched unenriched frisch durchschnittlich moyen aliment preleve france commercial variete'.split(
    ' ',
  ),
);
const STATES = [
  TRAITS.raw | TRAITS.dry,
  TRAITS.cooked,
  TRAITS.fried,
  TRAITS.canned,
  TRAITS.dried,
  TRAITS.preserved,
  TRAITS.powder,
  TRAITS.reduced,
  TRAITS.added,
  TRAITS.special,
];
/** Categories of foods that are eaten cooked and named without saying so. */
const COOKED = new Set([
  'beef',
  'fish',
  'grains',
  'lamb-game',
  'legumes',
  'pasta-noodles',
  'pork',
  'poultry',
  'seafood',
]);

/** The words of a name in any order with its state; undefined without words. */
function keyOf(name: string, implied = 0): string | undefined {
  const { bits: said, ranges } = readTraits(name);
  const bits = said | implied;
  const words = nameWords(name).filter(
    ({ start, stem }) =>
      !ranges.some(([from, to]) => start >= from && start < to) && !FILLERS.has(fold(stem)),
  );
  if (words.length === 0) return undefined;
  const states = STATES.map((state) => Number((bits & state) !== 0)).join('');
  return `${states} ${[...new Set(words.map(({ stem }) => stem))].sort().join(' ')}`;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return (sorted[Math.floor((sorted.length - 1) / 2)]! + sorted[Math.ceil((sorted.length - 1) / 2)]!) / 2;
}
