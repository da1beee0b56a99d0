import { parentPort, workerData } from 'node:worker_threads';
import { Channel } from '../channel.ts';
import { openRecognizers } from '../compose/recognizers.ts';
import { analyse } from '../scan/analyse.ts';
import { noAnalysis } from '../scan/analysis.ts';
import { TIMED_OUT } from './analysis-failures.ts';
import type { AnalysisCalls, AnalysisThreadStart, FoodCalls } from './protocol.ts';
import { lowerPoolPriority, lowerThreadPriority } from './thread-priority.ts';

/** Long, since the main thread may have to ask outside services for a barcode. */
const FOODS_TIMEOUT_MS = 30_000;

/**
 * The entry of a worker thread that looks at images, one at a time, so that an image can break nothing but this thread.
 * The pool decides when an image has taken too long.
 */
const { config } = workerData as AnalysisThreadStart;
lowerThreadPriority();
const recognizers = await openRecognizers(config);
lowerPoolPriority();

const calls: AnalysisCalls = {
  ready: () => {},
  async analyse({ bytes, timeoutMs }) {
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      return await analyse({ bytes, recognizers, foods, signal, nowMs: () => performance.now() });
    } catch (error) {
      if (signal.aborted) return noAnalysis(TIMED_OUT, timeoutMs);
      throw error;
    }
  },
};
const channel = new Channel<FoodCalls>({ port: parentPort!, local: calls });
const within = { timeoutMs: FOODS_TIMEOUT_MS };
const foods = {
  findByBarcode: (digits: string) => channel.call('findByBarcode', digits, within),
  findById: (id: string) => channel.call('findById', id, within),
  search: (text: string, limit: number) => channel.call('search', { text, limit }, within),
};
