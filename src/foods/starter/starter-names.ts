import { existsSync } from 'node:fs';
import { FOOD_LANGUAGES, type FoodLanguage, type LocalNames } from '@larder/core/food-languages.ts';
import { LIST_SEPARATOR, readTable } from './starter-table.ts';

/** Columns of the tables of names, one a language: `names/sv.tsv` for Swedish. */
export const NAME_COLUMNS = ['key', 'source', 'names'] as const;

/** The sources of names; those of the project go before those of Open Food Facts. */
export const NAME_SOURCES = ['larder', 'off'] as const;

export function namesTable(code: FoodLanguage): URL {
  return new URL(`names/${code}.tsv`, import.meta.url);
}

/** The names of the tables by the key of a food; the first of each language is the one that is shown. */
export function readStarterNames(): ReadonlyMap<string, LocalNames> {
  const names = new Map<string, Partial<Record<FoodLanguage, string[]>>>();
  for (const code of FOOD_LANGUAGES) {
    const table = namesTable(code);
    if (!existsSync(table)) continue;
    for (const { values } of readTable(table, NAME_COLUMNS)) {
      const ofFood = names.get(values.key) ?? {};
      names.set(values.key, ofFood);
      ofFood[code] = [...(ofFood[code] ?? []), ...values.names.split(LIST_SEPARATOR)];
    }
  }
  return names;
}
