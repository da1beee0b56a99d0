import { writeFileSync } from 'node:fs';
import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { analyse } from '../../scan/analysis/analyse-image.ts';
import { type AnalysisOutcome, noAnalysis, TIMED_OUT } from '../../scan/analysis/analysis.ts';
import type { Grounded } from '../../scan/analysis/grounding.ts';
import type { Proposal } from '../../scan/recognizer.ts';
import type { ScanKind } from '../../scan/scan-job.ts';
import { lowerProcessPriority, readBytes, serveParent } from '../../threads/parent.ts';
import { openRecognizers } from '../recognizers.ts';

/** Calls of the pool to an analysis process after it has loaded its recognizers: one image at a time. */
export interface AnalysisCalls {
  /** Reads the image from the pipe. Recognizers that support it stop after `timeoutMs`. */
  analyse(image: {
    readonly sizeBytes: number;
    readonly timeoutMs: number;
    readonly kind?: ScanKind | undefined;
  }): Promise<AnalysisOutcome>;
}

/**
 * Calls of an analysis process to the pool, which has the foods: turns a recognizer's proposals for the
 * current image into items.
 */
export interface GroundCalls {
  ground(proposals: readonly Proposal[]): Promise<Grounded>;
}

/**
 * Adjusts the score of the OOM killer, at most 1,000: if memory is short, Linux ends this process before the one that
 * answers requests.
 */
const OOM_SCORE = '800';

/** Compiled code of the recognizers, which are large; systemd sets the folder by CacheDirectory. */
const CACHE = join(
  process.env['CACHE_DIRECTORY'] ?? join(import.meta.dirname, '../../../node_modules/.cache'),
  'compiled',
);

/**
 * The program of a process that analyses images one at a time, so that an image can crash nothing but this
 * process. The pool decides when an image has taken too long.
 */
lowerProcessPriority();
if (process.platform === 'linux') preferToEnd();
serveParent<Config, GroundCalls>(async (config, parent) => {
  enableCompileCache(CACHE);
  const recognizers = await openRecognizers(config);
  // The process can be killed, because it stores nothing.
  flushCompileCache();
  return {
    async analyse({ sizeBytes, timeoutMs, kind }) {
      const bytes = await readBytes(sizeBytes);
      const signal = AbortSignal.timeout(timeoutMs);
      // The time limit of the image bounds each call, too.
      const ground = (proposals: readonly Proposal[]) => parent.call('ground', proposals);
      try {
        return await analyse({ bytes, kind, recognizers, ground, signal, nowMs: () => performance.now() });
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
    // Some sandboxes forbid it; the parent watches the memory in any case.
  }
}
