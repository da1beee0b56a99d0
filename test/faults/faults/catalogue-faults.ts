import { setTimeout } from 'node:timers/promises';
import type { Generation } from '../cluster/catalogues.ts';
import type { Lab } from '../cluster/lab.ts';
import type { Allowance } from '../history-record.ts';
import { WHILE_STORE_REFUSES } from './allowances.ts';
import type { Fault } from './fault.ts';

const AWAY_MS = 4_000;

/** `begin` activates the catalogue, and resolves when nodes can switch to it. */
function swapTo(
  generation: Generation,
  name: string,
  begin: (lab: Lab) => Promise<void>,
  allows: readonly Allowance[] = [],
): Fault {
  return {
    name,
    async run({ lab, history }) {
      const startMs = history.nowMs();
      await begin(lab);
      history.note({ kind: 'fault', name, startMs, endMs: history.nowMs(), allows });
      await lab.untilServed(generation);
      history.note({ kind: 'catalogue', generation, startMs, endMs: history.nowMs() });
    },
  };
}

/** Switching is not a fault, but a critical moment. These run in this order. */
export const CATALOGUE_FAULTS: readonly Fault[] = [
  swapTo('second', 'another catalogue is activated', ({ publisher }) => publisher.activate('second')),
  swapTo('first', 'the catalogue is rolled back', ({ publisher }) => publisher.rollBack()),
  swapTo(
    'third',
    'a catalogue is activated while the object store is away',
    async ({ servers, publisher }) => {
      servers.store.set('refusing');
      await publisher.activate('third');
      await setTimeout(AWAY_MS);
      servers.store.set('well');
    },
    WHILE_STORE_REFUSES,
  ),
];
