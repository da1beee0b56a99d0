import { retryDelayMs } from './catalogue-follower.ts';
import type { TakeCatalogue } from './catalogue-source.ts';

export interface PersistentTakePorts {
  readonly take: TakeCatalogue;
  readonly pause: (ms: number) => Promise<unknown>;
  readonly random: () => number;
}

/** Switches the process to a catalogue, again and again until it succeeds or another one is wanted. */
export class PersistentTake {
  readonly #ports: PersistentTakePorts;
  #wanted: string | undefined;

  constructor(ports: PersistentTakePorts) {
    this.#ports = ports;
  }

  async take(name: string): Promise<void> {
    const { take, pause, random } = this.#ports;
    this.#wanted = name;
    for (let failures = 1; this.#wanted === name; failures++) {
      const refusal = await take(name).catch((error: Error) => error.message);
      if (refusal === undefined) return;
      await pause(retryDelayMs('cannot_load', failures, random()));
    }
  }

  close(): void {
    this.#wanted = undefined;
  }
}
