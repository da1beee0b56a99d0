import type { Generation } from '../cluster/catalogues.ts';
import type { Fault } from './fault.ts';

/** No fault, but a moment at which a service may stumble: nothing at all may fail. */
function swapCatalogue(name: string, generation: Generation): Fault {
  return {
    name,
    async run({ lab, history }) {
      const startMs = history.nowMs();
      await lab.useCatalogue(generation);
      const endMs = history.nowMs();
      history.note({ kind: 'catalogue', generation, startMs, endMs });
      history.note({ kind: 'fault', name, startMs, endMs, allows: [] });
    },
  };
}

export const CATALOGUE_FAULTS: readonly Fault[] = [
  swapCatalogue('another catalogue comes into use', 'second'),
  swapCatalogue('the catalogue before comes back', 'first'),
];
