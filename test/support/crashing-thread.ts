import { parentPort } from 'node:worker_threads';
import { Channel } from '../../src/runtime/channel.ts';
import type { MainCalls, ThreadCalls } from '../../src/runtime/protocol.ts';

/** An API thread that does nothing but fall over when it is asked for its metrics. */
const calls: ThreadCalls = {
  listen: async (port) => port || 1,
  useCatalogue: () => {},
  setStatus: () => {},
  metrics: () => process.exit(3),
  stop: async () => {},
};
new Channel<MainCalls>({ port: parentPort!, local: calls });
