/**
 * Measures how well text is read. `--part lines` reads ingredient lines, also with the npm parsers for
 * ingredient lines that are installed; `--part meals` reads meals in words over the survey foods; `--part
 * products` does so among 3.9 million products; `--part hostile` reads texts made to be expensive there, and `--part repeated`
 * one to three characters again and again, over the shipped foods.
 * `--lines FILE` names another labelled file, `--data FOLDER` a data folder whose imported foods are added to
 * the survey foods in `meals`. The worst results go to files in the system's temp folder.
 */
import { parseArgs } from 'node:util';
import { withFoods } from './support/parse-catalogue.ts';
import { measureRepeated } from './support/parse-hostile.ts';
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
  repeated: () => withFoods([], measureRepeated),
};

for (const [name, measure] of Object.entries(PARTS)) {
  if (values.part === undefined || values.part === name) await measure();
}
