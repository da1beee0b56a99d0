/**
 * Measures how often a text becomes the right foods in the right amounts, and how often a confident answer is
 * wrong. `--part labels` reads the project's own labelled texts in eight languages over the shipped foods, and
 * also with USDA's survey and SR Legacy foods if present. `--part gold` reads 320 recipe lines of the
 * real-data folder over the latter; `--lines FILE` names another file there. Without `--part` both run. Wrong
 * answers go to files in the system's temp folder, the most confident first.
 */
import { parseArgs } from 'node:util';
import { measureGoldLines } from './support/gold-lines.ts';
import { measureLabels } from './support/labelled-texts.ts';
import { withFoods } from './support/parse-catalogue.ts';
import { hasRealData } from './support/search-real-data.ts';

const USDA = ['survey', 'sr_legacy'];

const { values } = parseArgs({ options: { part: { type: 'string' }, lines: { type: 'string' } } });
const has = (part: 'gold' | 'labels') => values.part === undefined || values.part === part;
if (has('labels')) await withFoods([], (catalogue) => measureLabels(catalogue, 'shipped foods'));
if (hasRealData()) {
  await withFoods(USDA, async (catalogue) => {
    if (has('labels')) await measureLabels(catalogue, 'with USDA foods');
    if (has('gold')) await measureGoldLines(catalogue, values.lines);
  });
} else {
  console.log('lines of recipes: skipped, since the real data (../shared/data) are not there');
}
