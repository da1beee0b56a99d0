import { parseArgs } from 'node:util';
import { compareEnergies, type Difference } from './energies.ts';

const HELP = `Compares the energy of the shipped generic foods with tables of other institutes.

  node tools/starter/compare-energies.ts DATA_DIR [--all]

DATA_DIR holds fdc/sr_legacy, fdc/survey, fdc/branded, eu/ciqual_2025.json.gz and eu/bls_2025.json.gz. Prints the
foods that differ by more than a third from foods of the same name and state and for which energy-decisions.tsv
gives no reason; --all prints those with a reason, too. Ends with status 1 if a food is undecided or a
decision is outdated.
`;

const { values, positionals } = parseArgs({
  options: { all: { type: 'boolean' }, help: { type: 'boolean' } },
  allowPositionals: true,
});
const [dataDir] = positionals;
if (values.help === true || dataDir === undefined) {
  process.stdout.write(HELP);
  process.exit(values.help === true ? 0 : 1);
}

const { foods, compared, within, decided, undecided, outdated } = await compareEnergies(dataDir);
for (const difference of values.all === true ? [...undecided, ...decided] : undecided) {
  process.stdout.write(`${lineOf(difference)}\n`);
}
for (const key of outdated) process.stdout.write(`outdated decision: ${key}\n`);
process.stdout.write(
  `${foods} foods, ${compared} compared, ${within} within a third, ${decided.length} decided, ${undecided.length} undecided\n`,
);
process.exitCode = undecided.length + outdated.length > 0 ? 1 : 0;

function lineOf({ key, name, energy, median, like, reason = 'undecided' }: Difference): string {
  const others = like.map((food) => `${food.table} ${food.name} ${food.energy}`);
  return [key, name, Math.round(energy), Math.round(median), reason, others.slice(0, 4).join('; ')].join(
    '\t',
  );
}
