import type { ThreadCalls, ThreadStart } from '../../src/app/processes/protocol.ts';
import type { MetricValues } from '../../src/http/service/metric-values.ts';
import { serveParent } from '../../src/threads/parent.ts';

/**
 * An API thread that only loads a catalogue and reports its size. Thread 1 fails to load as often as the shared
 * memory says; if that is negative, it crashes.
 */
serveParent(async ({ index, memory }: ThreadStart): Promise<ThreadCalls> => {
  const failures = new Int32Array(memory.limitsOutage);
  let sizeBytes = 0;
  return {
    listen: async (port) => port || 1,
    useCatalogue(image) {
      if (index === 1 && Atomics.load(failures, 0) < 0) {
        Atomics.add(failures, 0, 1);
        process.exit(3);
      }
      if (index === 1 && Atomics.load(failures, 0) > 0) {
        Atomics.sub(failures, 0, 1);
        throw new Error('too clumsy to take it');
      }
      sizeBytes = image.byteLength;
    },
    setStatus: () => {},
    warnings: () => [],
    metrics: async () => [
      {
        name: 'size',
        help: String(sizeBytes),
        type: 'gauge' as unknown as MetricValues[number]['type'],
        values: [],
        aggregator: 'sum',
      },
    ],
    stop: async () => {},
  };
});
