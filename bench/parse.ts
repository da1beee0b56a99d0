/**
 * How well text is read. `--part lines` reads ingredient lines, beside the npm parsers of ingredient lines that are
 * installed; `--part meals` reads meals in words over the survey foods; `--part products` does so among 3.9 million products, and
 * `--part hostile` reads texts made to be expensive there.
 * `--lines FILE` names another labelled file, `--data FOLDER` a data folder whose imported foods stand beside the survey foods in
 * `meals`. The worst go to files in the temp folder of the system.
 */
import { parseArgs } from 'node:util';
import { measureLines } from './support/parse-lines.ts';
import { measureHostile, measureMeals, measureMealsAmongProducts } from './support/parse-meals.ts';

const { values } = parseArgs({
  options: { part: { type: 'string' }, lines: { type: 'string' }, data: { type: 'string' } },
});
const PARTS: Readonly<Record<string, () => Promise<void>>> = {
  lines: () => measureLines(values.lines),
  meals: () => measureMeals(values.data),
  products: measureMealsAmongProducts,
  hostile: measureHostile,
};

for (const [name, measure] of Object.entries(PARTS)) {
  if (values.part === undefined || values.part === name) await measure();
}
