import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BRANDED_TABLE, GENERIC_TABLE } from '../../src/foods/starter/starter-table.ts';
import { countDiaryLines, DIARY_ENTRIES, diaryEntriesJson } from './diary-lines.ts';
import { fillTable } from './fill-table.ts';
import { fillTaxonomyNames } from './taxonomy-names.ts';
import { readUsdaFoods } from './usda-foods.ts';
import { USUAL_PORTIONS, usualPortionsJson } from './usual-portions.ts';

/**
 * `npm run starter -- DATA_DIR`: fills the figures of the starter tables from the USDA bundles in `DATA_DIR/fdc`
 * and the NHANES diaries in `DATA_DIR/nhanes`, and makes the table of usual portions of `DATA_DIR/portions`. A tool
 * for those who change the tables; nothing of it runs in the service.
 */
const [dataDir] = process.argv.slice(2);
if (dataDir === undefined) {
  process.stderr.write(
    'Name the folder that holds fdc/, nhanes/ and taxonomy/: npm run starter -- DATA_DIR\n',
  );
  process.exit(1);
}

const foods = await readUsdaFoods(join(dataDir, 'fdc'));
const diaryLines = await countDiaryLines(join(dataDir, 'nhanes'));
const generic = fillTable(GENERIC_TABLE, 'weighed', { foods, diaryLines });
const branded = fillTable(BRANDED_TABLE, 'labelled', { foods, diaryLines });
writeFileSync(DIARY_ENTRIES, diaryEntriesJson(diaryLines));
writeFileSync(USUAL_PORTIONS, usualPortionsJson(join(dataDir, 'portions')));
const names = fillTaxonomyNames(join(dataDir, 'taxonomy'));
process.stdout.write(
  `${generic} generic foods and ${branded} branded products filled, ${names} names of Open Food Facts added.\n`,
);
