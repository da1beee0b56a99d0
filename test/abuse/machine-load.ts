import { readFileSync } from 'node:fs';

/** What processors did since the start of the machine, in ticks; from Linux's /proc. */
interface Ticks {
  readonly total: number;
  readonly idle: number;
  readonly stolen: number;
}

/** Shares of all processor time. */
export interface MachineLoad {
  readonly busy: number;
  /** Taken by the machine that this virtual one runs on. */
  readonly stolen: number;
}

/** Watches the processors from now until `end`. */
export class LoadWatch {
  readonly #before = readTicks();

  end(): MachineLoad {
    const [before, after] = [this.#before, readTicks()];
    const total = Math.max(1, after.total - before.total);
    return {
      busy: 1 - (after.idle - before.idle) / total,
      stolen: (after.stolen - before.stolen) / total,
    };
  }
}

function readTicks(): Ticks {
  return parseTicks(readFileSync('/proc/stat', 'utf8'));
}

/** The first line: cpu user nice system idle iowait irq softirq steal. */
export function parseTicks(stat: string): Ticks {
  const ticks = stat.split('\n')[0]!.trim().split(/\s+/).slice(1, 9).map(Number);
  return {
    total: ticks.reduce((sum, each) => sum + each, 0),
    idle: ticks[3]! + ticks[4]!,
    stolen: ticks[7]!,
  };
}
