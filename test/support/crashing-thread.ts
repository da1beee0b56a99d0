import type { ThreadCalls } from '../../src/app/processes/protocol.ts';
import { serveParent } from '../../src/threads/parent.ts';

/** An API thread that crashes when its metrics are requested. */
serveParent(
  async (): Promise<ThreadCalls> => ({
    listen: async (port) => port || 1,
    useCatalogue: () => {},
    setStatus: () => {},
    warnings: () => [],
    metrics: () => process.exit(3),
    stop: async () => {},
  }),
);
