import { setTimeout } from 'node:timers/promises';
import { Random } from '../../bench/support/search-random.ts';
import { Lab } from './cluster/lab.ts';
import { CATALOGUE_FAULTS } from './faults/catalogue-faults.ts';
import type { Fault } from './faults/fault.ts';
import { freezeNode, killNode, killTwoNodes } from './faults/node-faults.ts';
import { SERVER_FAULTS } from './faults/server-faults.ts';
import { freezeWorker, killWorker } from './faults/worker-faults.ts';
import type { History } from './history.ts';
import { startLoad } from './load/load.ts';

/** Duration of load without a fault: at first, and after each. */
const CALM_MS = 3_000;

const FIRST_SCANS = 12;

/** Catalogues are activated in a fixed order. */
const GROUPS: readonly (readonly Fault[])[] = [
  [killNode],
  [killNode],
  [killTwoNodes],
  [freezeNode],
  [killWorker],
  [freezeWorker],
  ...SERVER_FAULTS.map((fault) => [fault]),
  CATALOGUE_FAULTS,
];

export interface FaultRun {
  /** Returns the planned order of the faults. */
  readonly seed: number;
  /** Selects faults whose name contains this text; all if it is empty. */
  readonly only: string;
  readonly history: History;
  readonly onProgress: (text: string) => void;
}

/** Causes one fault after the other under load, then audits the result; everything is recorded in the history. */
export async function runFaults({ seed, only, history, onProgress }: FaultRun): Promise<void> {
  const random = new Random({ seed });
  onProgress('starting the cluster');
  await using lab = await Lab.open(random);
  const nowMs = history.nowMs();
  history.note({ kind: 'catalogue', generation: 'first', startMs: nowMs, endMs: nowMs });
  const load = await startLoad(lab, history, seed);
  // Makes every worker load its recognizers.
  await load.burst(FIRST_SCANS);
  await setTimeout(CALM_MS);
  for (const fault of shuffle(GROUPS, random).flat()) {
    if (!fault.name.includes(only)) continue;
    onProgress(fault.name);
    await fault.run({ lab, load, history, random });
    await setTimeout(CALM_MS);
    if (lab.deaths.length > 0) throw new Error(`after ${fault.name}: ${lab.deaths.join('; ')}`);
  }
  onProgress('reading what is left');
  await load.stop();
  await load.readAll(lab.nodes.map(({ url }) => url));
  for (const record of await lab.audit.scans()) history.note(record);
}

/** Shuffles (Fisher and Yates). */
function shuffle<T>(items: readonly T[], random: Random): T[] {
  const shuffled = [...items];
  for (let at = shuffled.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [shuffled[at], shuffled[other]] = [shuffled[other]!, shuffled[at]!];
  }
  return shuffled;
}
