/**
 * How well text is read. `--part lines` reads ingredient lines, beside the npm parsers of ingredient lines that are
 * installed; `--part meals` reads meals in words over the survey foods; `--part products` does so among 3.9 million products, and
 * `--part hostile` reads texts made to be expensive there.
 * `--lines FILE` names another labelled file. The worst go to files in the temp folder of the system.
 */
import { parseArgs } from 'node:util';
import { measureLines } from './support/parse-lines.ts';
import { measureHostile, measureMeals, measureMealsAmongProducts } from './support/parse-meals.ts';

const PARTS: Readonly<Record<string, (file: string | undefined) => Promise<void>>> = {
  lines: measureLines,
  meals: measureMeals,
  products: measureMealsAmongProducts,
  hostile: measureHostile,
};

const { values } = parseArgs({ options: { part: { type: 'string' }, lines: { type: 'string' } } });
for (const [name, measure] of Object.entries(PARTS)) {
  if (values.part === undefined || values.part === name) await measure(values.lines);
}
