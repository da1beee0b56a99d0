import type { NutrientColumn } from '../../foods/import/table/nutrient-columns.ts';
import { AmountColumns } from './amount-columns.ts';
import { headingKey, type Role, roleOf } from './headings.ts';

export interface DiaryColumnsOptions {
  readonly nutrientOf: (heading: string) => NutrientColumn | undefined;
  /** Headings, in the form of `headingKey`, whose amounts have no stated unit. */
  readonly ignored?: readonly string[];
}

/** The columns of a table of eaten foods. */
export class DiaryColumns extends AmountColumns {
  readonly roles: ReadonlyMap<Role, number>;

  constructor(headings: readonly string[], { nutrientOf, ignored = [] }: DiaryColumnsOptions) {
    const roles = new Map<Role, number>();
    for (const [at, heading] of headings.entries()) {
      const role = roleOf(heading);
      if (role !== undefined && !roles.has(role)) roles.set(role, at);
    }
    super(headings, {
      nutrientOf: (heading) => (ignored.includes(headingKey(heading)) ? undefined : nutrientOf(heading)),
      taken: new Set(roles.values()),
    });
    this.roles = roles;
  }

  get isPer100(): boolean {
    return this.stated.some((per) => per !== 'serving');
  }

  cell(cells: readonly string[], role: Role): string | undefined {
    const at = this.roles.get(role);
    return at === undefined ? undefined : cells[at]?.trim();
  }
}
