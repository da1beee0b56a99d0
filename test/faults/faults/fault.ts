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

/** Breaks something and mends it again, and notes how long it was broken. */
export interface Fault {
  readonly name: string;
  run(scene: Scene): Promise<void>;
}

/** A fault that lasts as long as `breakAndMend`. */
export function lasting(
  name: string,
  allows: readonly Allowance[],
  breakAndMend: (scene: Scene) => Promise<unknown>,
): Fault {
  return {
    name,
    async run(scene) {
      const startMs = scene.history.nowMs();
      await breakAndMend(scene);
      scene.history.note({ kind: 'fault', name, startMs, endMs: scene.history.nowMs(), allows });
    },
  };
}
