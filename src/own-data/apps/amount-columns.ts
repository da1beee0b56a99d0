import { NUTRIENT_KEYS, type NutrientKey, type PartialNutrients } from '@larder/core/nutrients.ts';
import { type DecimalMark, readNumber } from '../../foods/import/table/numbers.ts';
import type { NutrientColumn } from '../../foods/import/table/nutrient-columns.ts';
import type { Reading } from '../import/reading.ts';

interface AmountColumn extends NutrientColumn {
  readonly at: number;
  readonly heading: string;
}

export interface AmountColumnsOptions {
  readonly nutrientOf: (heading: string) => NutrientColumn | undefined;
  /** Positions of columns with another meaning. */
  readonly taken: ReadonlySet<number>;
}

/** The columns of a table that state amounts of nutrients. */
export class AmountColumns {
  readonly headings: readonly string[];
  /** Headings of columns that are not imported. */
  readonly unused: readonly string[];
  readonly #columns = new Map<NutrientKey, AmountColumn[]>();

  constructor(headings: readonly string[], { nutrientOf, taken }: AmountColumnsOptions) {
    this.headings = headings;
    const unused: string[] = [];
    for (const [at, heading] of headings.entries()) {
      if (taken.has(at)) continue;
      const column = nutrientOf(heading);
      if (column !== undefined) {
        const same = this.#columns.get(column.nutrient) ?? [];
        this.#columns.set(column.nutrient, [...same, { ...column, at, heading }]);
      } else if (heading.trim() !== '') unused.push(heading);
    }
    // The column in the nutrient's own unit takes precedence, and salt is the last choice.
    for (const columns of this.#columns.values())
      columns.sort(
        (a, b) =>
          Number(a.isSalt ?? false) - Number(b.isSalt ?? false) ||
          Number(b.factor === 1) - Number(a.factor === 1),
      );
    this.unused = unused;
  }

  has(nutrient: NutrientKey): boolean {
    return this.#columns.has(nutrient);
  }

  get positions(): readonly number[] {
    return this.#all.map(({ at }) => at);
  }

  /** Units that the headings state for the amounts, each once. */
  get stated(): readonly NonNullable<NutrientColumn['per']>[] {
    return [...new Set(this.#all.flatMap(({ per }) => per ?? []))];
  }

  get #all(): readonly AmountColumn[] {
    return [...this.#columns.values()].flat();
  }

  /** The amounts of a row; a cell without a number is a problem of the line, and unknown. */
  nutrientsOf(cells: readonly string[], line: number, mark: DecimalMark, reading: Reading): PartialNutrients {
    const nutrients: PartialNutrients = {};
    for (const key of NUTRIENT_KEYS) {
      for (const { at, factor, heading } of this.#columns.get(key) ?? []) {
        const cell = cells[at] ?? '';
        const value = readNumber(cell, mark);
        if (value === 'invalid') {
          const text = cell.trim().slice(0, 50);
          reading.problem(line, `"${text}" is no amount; it counts as unknown.`, heading);
        } else if (value !== undefined) {
          nutrients[key] = value * factor;
          break;
        }
      }
    }
    return nutrients;
  }
}
