import { NUTRIENT_KEYS, type NutrientKey, type PartialNutrients } from '@larder/core/nutrients.ts';
import type { Reading } from '../import/reading.ts';
import { type DecimalMark, readNumber } from '../tables/numbers.ts';
import type { NutrientColumn } from '../tables/nutrient-columns.ts';
import { headingKey, type Role, roleOf } from './headings.ts';

interface AmountColumn extends NutrientColumn {
  readonly at: number;
  readonly heading: string;
}

export interface DiaryColumnsOptions {
  readonly nutrientOf: (heading: string) => NutrientColumn | undefined;
  /** Headings, in the form of `headingKey`, whose amounts are in a unit that is not stated. */
  readonly ignored?: readonly string[];
}

/** The columns of a table of what was eaten. */
export class DiaryColumns {
  readonly headings: readonly string[];
  readonly roles: ReadonlyMap<Role, number>;
  readonly isPer100: boolean;
  readonly #amounts = new Map<NutrientKey, AmountColumn[]>();
  readonly unused: readonly string[];

  constructor(headings: readonly string[], { nutrientOf, ignored = [] }: DiaryColumnsOptions) {
    this.headings = headings;
    const roles = new Map<Role, number>();
    const unused: string[] = [];
    for (const [at, heading] of headings.entries()) {
      const role = roleOf(heading);
      const column = ignored.includes(headingKey(heading)) ? undefined : nutrientOf(heading);
      if (role !== undefined && !roles.has(role)) roles.set(role, at);
      else if (column !== undefined) {
        const same = this.#amounts.get(column.nutrient) ?? [];
        this.#amounts.set(column.nutrient, [...same, { ...column, at, heading }]);
      } else if (heading.trim() !== '') unused.push(heading);
    }
    // Of several columns of one nutrient the one in its own unit counts most, and salt least.
    for (const columns of this.#amounts.values())
      columns.sort(
        (a, b) =>
          Number(a.isSalt ?? false) - Number(b.isSalt ?? false) ||
          Number(b.factor === 1) - Number(a.factor === 1),
      );
    this.roles = roles;
    this.unused = unused;
    this.isPer100 = [...this.#amounts.values()]
      .flat()
      .some(({ per }) => per !== undefined && per !== 'serving');
  }

  has(nutrient: NutrientKey): boolean {
    return this.#amounts.has(nutrient);
  }

  /** The positions of all columns with amounts. */
  get amountPositions(): readonly number[] {
    return [...this.#amounts.values()].flat().map(({ at }) => at);
  }

  cell(cells: readonly string[], role: Role): string | undefined {
    const at = this.roles.get(role);
    return at === undefined ? undefined : cells[at]?.trim();
  }

  /** The amounts of a row; what is no number is a problem of the line, and unknown. */
  nutrientsOf(cells: readonly string[], line: number, mark: DecimalMark, reading: Reading): PartialNutrients {
    const nutrients: PartialNutrients = {};
    for (const key of NUTRIENT_KEYS) {
      for (const { at, factor, heading } of this.#amounts.get(key) ?? []) {
        const value = readNumber(cells[at] ?? '', mark);
        if (value === 'invalid')
          reading.problem(
            line,
            `"${cells[at]!.trim().slice(0, 50)}" is no amount; it counts as unknown.`,
            heading,
          );
        else if (value !== undefined) {
          nutrients[key] = value * factor;
          break;
        }
      }
    }
    return nutrients;
  }
}
