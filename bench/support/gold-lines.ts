/** Lines of recipes that were labelled by hand, over the shipped foods and USDA's survey and SR Legacy foods. */
import type { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { readLabelledTexts } from '../../tools/texts/labelled-texts.ts';
import { figuresOf, judgeTexts, SURE, writeWrong } from './judged-texts.ts';
import { realDataPath } from './search-real-data.ts';

const GOLD = 'ingredients/lines.gold.tsv';
const GOALS = { kind: 0.97, energy: 0.95, grams: 0.93, right: 0.9 } as const;
const SURE_GOAL = 0.03;
const CALIBRATION_GOAL = 0.05;

/** Prints the shares of right answers over `lines.gold.tsv`, or another file of its form. */
export async function measureGoldLines(catalogue: Catalogue, file: string = GOLD): Promise<void> {
  const labels = readLabelledTexts(realDataPath(file));
  const judged = await judgeTexts(labels, catalogue);
  const figures = figuresOf(judged);
  const stated = figuresOf(await judgeTexts(labels, catalogue, { isStated: true }));
  console.log(`lines of recipes, ${catalogue.info.foods} foods; right ${stated.right.toFixed(3)} if stated`);
  for (const [name, goal] of Object.entries(GOALS)) {
    console.log(`${name.padEnd(8)} right ${figures[name as keyof typeof GOALS].toFixed(3)}  goal ${goal}`);
  }
  console.log(
    `sure     wrong ${figures.sureWrong.toFixed(3)}  goal ${SURE_GOAL}  (of ${figures.sure} with ${SURE} or more)`,
  );
  console.log(`calibration error ${figures.calibrationError.toFixed(3)}  goal ${CALIBRATION_GOAL}`);
  writeWrong('larder-lines-worst.txt', judged);
}
