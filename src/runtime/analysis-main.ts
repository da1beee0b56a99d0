import { writeFileSync } from 'node:fs';
import { openRecognizers } from '../compose/recognizers.ts';
import type { Config } from '../config/config.ts';
import { analyse } from '../scan/analysis/analyse-image.ts';
import { noAnalysis, TIMED_OUT } from '../scan/analysis/analysis.ts';
import { serveParent } from '../threads/parent.ts';
import { lowerProcessPriority } from '../threads/process-priority.ts';
import type { AnalysisCalls, FoodCalls } from './analysis-protocol.ts';

/** Long, since the parent may have to ask external services for a barcode. */
const FOODS = { timeoutMs: 30_000 };
/** Of at most 1,000: where a machine has too little memory, Linux ends this process before the one that answers requests. */
const OOM_SCORE = '800';

/**
 * The program of a process that analyses images, one at a time, so that an image can break nothing but this process. The pool
 * decides when an image has taken too long.
 */
lowerProcessPriority();
if (process.platform === 'linux') preferToEnd();
serveParent<Config, FoodCalls>(async (config, parent) => {
  const recognizers = await openRecognizers(config);
  const foods = {
    findByBarcode: (digits: string) => parent.call('findByBarcode', digits, FOODS),
    findById: (id: string) => parent.call('findById', id, FOODS),
    search: (text: string, limit: number) => parent.call('search', { text, limit }, FOODS),
  };
  return {
    async analyse({ bytes, timeoutMs }) {
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        return await analyse({ bytes, recognizers, foods, signal, nowMs: () => performance.now() });
      } catch (error) {
        if (signal.aborted) return noAnalysis(TIMED_OUT, timeoutMs);
        throw error;
      }
    },
  } satisfies AnalysisCalls;
});

function preferToEnd(): void {
  try {
    writeFileSync('/proc/self/oom_score_adj', OOM_SCORE);
  } catch {
    // Some sandboxes do not let us; the parent watches the memory in any case.
  }
}
