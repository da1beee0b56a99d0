import { pino } from 'pino';
import type { Engine } from '../../src/app/backend.ts';
import { openEngine, startSharedWork } from '../../src/app/open-backend.ts';
import { createSharedMemory } from '../../src/app/shared-memory.ts';
import type { Config } from '../../src/config/config.ts';

/** The parts of an API thread, in this thread. */
export async function openEngineInProcess(config: Config): Promise<Engine> {
  const log = pino({ level: 'silent' });
  const memory = createSharedMemory();
  const onFailure = (cause: Error) => {
    throw cause;
  };
  const work = await startSharedWork(config, { memory, log, onFailure });
  const engine = await openEngine(config, { thread: 0, memory, port: work.connect(), log });
  return {
    ...engine,
    async close() {
      await engine.close();
      await work.close();
    },
  };
}
