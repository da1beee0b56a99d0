import { randomBytes } from 'node:crypto';
import { WINDOW_SECONDS } from '../../src/counters/counters.ts';
import { createCounterMemory, SharedCounters } from '../../src/counters/memory/counters.ts';
import { countersContract } from './counters.ts';

countersContract('shared memory', async () => {
  const memory = createCounterMemory({ randomBytes });
  let nowMs = 1_800_000_012_345;
  return {
    counters: new SharedCounters({ memory }),
    other: new SharedCounters({ memory }),
    nowMs: () => nowMs,
    endWindows: async () => {
      nowMs += WINDOW_SECONDS * 1000;
    },
    close: () => {},
  };
});
