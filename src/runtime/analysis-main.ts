import { writeFileSync } from 'node:fs';
import { openRecognizers } from '../compose/recognizers.ts';
import { analyse } from '../scan/analysis/analyse-image.ts';
import { noAnalysis, TIMED_OUT } from '../scan/analysis/analysis.ts';
import type { Recognizer } from '../scan/recognizers/recognizer.ts';
import type { AnalysisCalls, FoodCalls } from './analysis-thread-protocol.ts';
import { Channel } from './channel.ts';
import { parentProcess } from './parent-process.ts';
import { lowerProcessPriority } from './process-priority.ts';

/** Long, since the parent may have to ask external services for a barcode. */
const FOODS_TIMEOUT_MS = 30_000;
/** Of at most 1,000: where a machine has too little memory, Linux ends this process before the one that answers requests. */
const OOM_SCORE = '800';

/**
 * The entry of a process that looks at images, one at a time, so that an image can break nothing but this process. The pool
 * decides when an image has taken too long.
 */
lowerProcessPriority();
if (process.platform === 'linux') preferToEnd();
let recognizers: readonly Recognizer[] = [];
const calls: AnalysisCalls = {
  async start(config) {
    recognizers = await openRecognizers(config);
  },
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
function preferToEnd(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', OOM_SCORE);
  } catch {
    // Some sandboxes do not let us; the parent watches the memory in any case.
  }
}

const channel = new Channel<FoodCalls>({ port: parentProcess(), local: calls });
const within = { timeoutMs: FOODS_TIMEOUT_MS };
const foods = {
  findByBarcode: (digits: string) => channel.call('findByBarcode', digits, within),
  findById: (id: string) => channel.call('findById', id, within),
  search: (text: string, limit: number) => channel.call('search', { text, limit }, within),
};
