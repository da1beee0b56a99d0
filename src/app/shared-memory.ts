import { randomBytes } from 'node:crypto';
import { createCounterMemory } from '../counters/memory/counters.ts';
import { OutageFlag } from '../counters/memory/outage-flag.ts';
import { SharedUploadSlots } from '../counters/memory/shared-upload-slots.ts';
import { ChangeHints } from '../db/change-hints.ts';
import { DamageFlag } from '../db/damage-flag.ts';

/** Memory that all threads of the process read and write without messages. */
export interface SharedMemory {
  /** Counts requests. */
  readonly limits: SharedArrayBuffer;
  /** Whether the shared counters are unavailable; see `OutageFlag`. */
  readonly limitsOutage: SharedArrayBuffer;
  /** Counts changes of each owner; see `ChangeHints`. */
  readonly changeHints: SharedArrayBuffer;
  /** Slots of the running uploads. */
  readonly uploads: SharedArrayBuffer;
  /** Whether the database was found damaged; see `DamageFlag`. */
  readonly damage: SharedArrayBuffer;
}

/** Creates the memory once for each process; every API thread gets it. */
export function createSharedMemory(): SharedMemory {
  return {
    limits: createCounterMemory({ randomBytes }),
    limitsOutage: OutageFlag.createMemory(),
    changeHints: ChangeHints.createMemory(),
    uploads: SharedUploadSlots.createMemory(),
    damage: DamageFlag.createMemory(),
  };
}
