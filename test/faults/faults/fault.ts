import type { Random } from '../../../bench/support/search-random.ts';
import type { Lab } from '../cluster/lab.ts';
import type { History } from '../history.ts';
import type { Allowance } from '../history-record.ts';
import type { Load } from '../load/load.ts';

export interface Scene {
  readonly lab: Lab;
  readonly load: Load;
  readonly history: History;
  readonly random: Random;
}

/** Causes and repairs a fault, and records the duration. */
export interface Fault {
  readonly name: string;
  run(scene: Scene): Promise<void>;
}

/** Clients that upload an image during the fault; others wait for results and send nothing. */
const VISITORS = 2;

/** A fault that lasts from `breakIt` to the end of `mend`. */
export function lasting(
  name: string,
  allows: readonly Allowance[],
  { breakIt, mend }: { breakIt: (scene: Scene) => unknown; mend: (scene: Scene) => unknown },
): Fault {
  return {
    name,
    async run(scene) {
      const { load, history } = scene;
      const startMs = history.nowMs();
      await breakIt(scene);
      const visits = load.burst(VISITORS);
      await mend(scene);
      history.note({ kind: 'fault', name, startMs, endMs: history.nowMs(), allows });
      await visits;
    },
  };
}
