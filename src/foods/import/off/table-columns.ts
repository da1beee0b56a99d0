import type { RawNutrients } from '../normalise/raw-food.ts';
import type { DelimitedRow } from '../readers/delimited-fields.ts';
import type { FurtherAmounts } from './facts.ts';
import {
  OFF_NUTRIENT_NAMES,
  setOffNutrient,
  setOffNutrientWithUnit,
  setWrittenNutrient,
} from './nutrients.ts';

type Row = DelimitedRow<string>;

export interface StatedAmounts {
  per100: RawNutrients;
  perServing?: RawNutrients;
  /** `100ml` if the table states it. */
  per?: string;
}

/** The nutrient columns of one kind of table. */
export interface NutrientColumns {
  readonly columns: readonly string[];
  /** Adds nutrients beside those of foods to `further`. */
  read(row: Row, further?: FurtherAmounts): StatedAmounts;
}

/** Headers of a reduced extract of 2019: per 100 g, without energy. */
const EXTRACT = new Map([
  ['protein', 'proteins'],
  ['fat_amount', 'fat'],
  ['carbohydrate', 'carbohydrates'],
  ['dietary_fiber', 'fiber'],
  ['sugar', 'sugars'],
  ['saturated_fats', 'saturated-fat'],
  ['salt', 'salt'],
  ['sodium', 'sodium'],
]);

/** Undefined if the table has no nutrients. */
export function nutrientColumns(
  names: readonly string[],
  takesFacts: boolean | undefined,
): NutrientColumns | undefined {
  const present = new Set(names);
  if (present.has('barcode_id'))
    return per100Columns(
      [...EXTRACT].filter(([column]) => present.has(column)),
      [],
    );
  const furtherWith = (ending: string) =>
    takesFacts === true
      ? names.filter((name) => name.endsWith(ending)).map((name) => name.slice(0, -ending.length))
      : [];
  return (
    per100Columns(
      OFF_NUTRIENT_NAMES.map((name) => [`${name}_100g`, name] as const).filter(([column]) =>
        present.has(column),
      ),
      furtherWith('_100g'),
    ) ??
    valueColumns(
      OFF_NUTRIENT_NAMES.filter((name) => present.has(`${name}_value`)),
      furtherWith('_value').filter((name) => present.has(`${name}_unit`)),
    ) ??
    setColumns(names)
  );
}

/** Columns of the full export and those of countries; all masses are in g. */
function per100Columns(
  columns: ReadonlyArray<readonly [column: string, nutrient: string]>,
  furtherNames: readonly string[],
): NutrientColumns | undefined {
  if (columns.length === 0) return undefined;
  return {
    columns: [...columns.map(([column]) => column), ...furtherNames.map((name) => `${name}_100g`)],
    read(row, further) {
      const per100: RawNutrients = {};
      for (const [column, nutrient] of columns) {
        const amount = row.number(column);
        if (amount === undefined) setWrittenNutrient(per100, nutrient, row.text(column));
        else setOffNutrient(per100, nutrient, amount);
      }
      for (const name of furtherNames) further?.add('per100', name, row.number(`${name}_100g`));
      return { per100 };
    },
  };
}

/** Columns of search exports until 2025: as entered, with units, per the basis in `nutrition_data_per`. */
function valueColumns(
  nutrients: readonly string[],
  furtherNames: readonly string[],
): NutrientColumns | undefined {
  if (nutrients.length === 0) return undefined;
  return {
    columns: [
      'nutrition_data_per',
      ...new Set([...nutrients, ...furtherNames].flatMap((name) => [`${name}_value`, `${name}_unit`])),
    ],
    read(row, further) {
      const amounts: RawNutrients = {};
      for (const name of nutrients) set(amounts, name, row, `${name}_value`, `${name}_unit`);
      const per = row.text('nutrition_data_per');
      const of = per === 'serving' ? 'perServing' : 'per100';
      for (const name of furtherNames)
        further?.addWithUnit(of, name, row.number(`${name}_value`), row.text(`${name}_unit`) || 'g');
      return per === 'serving' ? { per100: {}, perServing: amounts } : { per100: amounts, per };
    },
  };
}

const SET =
  /^(?<set>nutrition\.(?:aggregated_set|input_sets\.(?<source>[^.]+)\.(?<preparation>[^.]+)\.(?<per>[^.]+)))\.nutrients\.(?<nutrient>[^.]+)\.value$/;
/** The sources of sets, best first. `estimate` is computed from ingredients and left out. */
const SOURCES = ['packaging', 'manufacturer', 'database-usda', 'usda'];

interface SetColumn {
  readonly column: string;
  readonly nutrient: string;
  readonly set: string;
  readonly source: string | undefined;
  /** `100g`, `100ml` or `serving`; for the aggregated set another column states it. */
  readonly per: string | undefined;
}

/** Columns of search exports since 2025: one set for each source, preparation and basis. */
function setColumns(names: readonly string[]): NutrientColumns | undefined {
  const columns = names
    .flatMap((column): SetColumn[] => {
      const groups = SET.exec(column)?.groups;
      const isLeftOut = groups?.['source'] === 'estimate' || groups?.['preparation'] === 'prepared';
      if (groups === undefined || isLeftOut) return [];
      const { set = '', source, per, nutrient = '' } = groups;
      return [{ column, nutrient, set, source, per }];
    })
    .toSorted((a, b) => rankOf(a) - rankOf(b));
  if (columns.length === 0) return undefined;
  const unitOf = ({ column }: SetColumn) => column.replace(/value$/, 'unit');
  return {
    columns: columns.flatMap((each) => [each.column, unitOf(each), `${each.set}.per`]),
    read(row, further) {
      const stated: Required<StatedAmounts> = { per100: {}, perServing: {}, per: '' };
      for (const each of columns) {
        if (row.text(each.column) === '') continue;
        const per = each.per ?? row.text(`${each.set}.per`);
        if (per !== 'serving') stated.per ||= per;
        // Amounts per 100 g and per 100 ml are never mixed.
        if (per !== 'serving' && per !== stated.per) continue;
        const into = per === 'serving' ? stated.perServing : stated.per100;
        set(into, each.nutrient, row, each.column, unitOf(each));
        further?.addWithUnit(
          per === 'serving' ? 'perServing' : 'per100',
          each.nutrient,
          row.number(each.column),
          row.text(unitOf(each)) || 'g',
        );
      }
      return stated;
    },
  };
}

/** The aggregated set ranks first: Open Food Facts chose it among the others. */
function rankOf({ source }: SetColumn): number {
  if (source === undefined) return -1;
  const rank = SOURCES.indexOf(source);
  return rank === -1 ? SOURCES.length : rank;
}

function set(into: RawNutrients, nutrient: string, row: Row, value: string, unit: string): void {
  const stated = row.text(unit);
  // An amount without a unit has the usual one.
  if (stated === '') setOffNutrient(into, nutrient, row.number(value));
  else setOffNutrientWithUnit(into, nutrient, row.number(value), stated);
}
