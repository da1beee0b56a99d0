import { setTimeout } from 'node:timers/promises';
import { Random } from '../../bench/support/search-random.ts';
import { Lab } from './cluster/lab.ts';
import { CATALOGUE_FAULTS } from './faults/catalogue-faults.ts';
import type { Fault } from './faults/fault.ts';
import { killNode, killTwoNodes } from './faults/node-faults.ts';
import { SERVER_FAULTS } from './faults/server-faults.ts';
import { freezeWorker, killWorker } from './faults/worker-faults.ts';
import type { History } from './history.ts';
import { startLoad } from './load/load.ts';

/** Load without a fault: at first, and after each. */
const CALM_MS = 3_000;

/** Catalogues come and go in one order. */
const GROUPS: readonly (readonly Fault[])[] = [
  [killNode],
  [killNode],
  [killTwoNodes],
  [killWorker],
  [freezeWorker],
  ...SERVER_FAULTS.map((fault) => [fault]),
  CATALOGUE_FAULTS,
];

/** Everything that is to be broken, in the order of this seed. */
function faultsOf(random: Random): Fault[] {
  return shuffle(GROUPS, random).flat();
}

/** Breaks one thing after the other under load, then looks at what is left; all of it goes into the history. */
export async function runFaults(
  seed: number,
  history: History,
  onProgress: (text: string) => void,
): Promise<void> {
  const random = new Random({ seed });
  onProgress('starting the cluster');
  await using lab = await Lab.open(random);
  const nowMs = history.nowMs();
  history.note({ kind: 'catalogue', generation: 'first', startMs: nowMs, endMs: nowMs });
  const load = await startLoad(lab, history, seed);
  await setTimeout(CALM_MS);
  for (const fault of faultsOf(random)) {
    onProgress(fault.name);
    await fault.run({ lab, load, history, random });
    await setTimeout(CALM_MS);
  }
  onProgress('reading what is left');
  await load.stop();
  await load.readAll(lab.nodes.map(({ url }) => url));
  for (const record of await lab.audit.scans()) history.note(record);
}

/** Fisher and Yates. */
function shuffle<T>(items: readonly T[], random: Random): T[] {
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
  }
  return shuffled;
}
