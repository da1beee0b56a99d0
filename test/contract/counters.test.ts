import { randomBytes } from 'node:crypto';
import { createCounterMemory } from '../../src/adapters/embedded/counter-memory.ts';
import { SharedCounters } from '../../src/adapters/embedded/counters.ts';
import { countersContract } from './counters.ts';

countersContract(
  'shared memory',
  () => new SharedCounters({ memory: createCounterMemory({ randomBytes, buckets: 16 }) }),
);
