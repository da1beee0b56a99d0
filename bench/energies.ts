/**
 * Compares the energy of the shipped generic foods with foods of the same name and state in USDA's tables, CIQUAL and
 * BLS, and counts those within a third of their median. `--data FOLDER` names the folder with `fdc/` and `eu/`.
 * `node tools/starter/compare-energies.ts` lists what differs.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { compareEnergies } from '../tools/starter/energies.ts';
import { realDataPath } from './support/search-real-data.ts';

const { values } = parseArgs({ options: { data: { type: 'string' } } });
const data = values.data ?? realDataPath('');
if (!existsSync(join(data, 'eu'))) {
  console.log(`energies: skipped, since ${data} has no tables; name their folder by --data`);
} else {
  const { foods, compared, within, decided, undecided, outdated } = await compareEnergies(data);
  console.log(`shipped generic foods    ${foods}`);
  console.log(`compared                 ${compared}`);
  console.log(`within a third           ${within}`);
  console.log(`decided, with a reason   ${decided.length}`);
  console.log(`undecided (goal 0)       ${undecided.length}`);
  console.log(`outdated decisions       ${outdated.length}`);
}
