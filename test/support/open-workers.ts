import { ANALYSIS_VERSION, type AnalysisOutcome, noAnalysis } from '../../src/scan/analysis/analysis.ts';
import type { ImageToAnalyse } from '../../src/scan/analysis/examine-image.ts';
import { ScanWorker, type ScanWorkerOptions } from '../../src/scan/jobs/scan-worker.ts';
import type { ScanFailureCode, ScanId } from '../../src/scan/scan-job.ts';
import { openScans } from './open-scans.ts';
import { BANANA_RESULT } from './settle-scan.ts';

/** A banana was recognized. */
export const DONE: AnalysisOutcome = {
  analysis: {
    version: ANALYSIS_VERSION,
    timings: { decodeMs: 1, groundMs: 2, totalMs: 3 },
    recognizers: [],
    items: BANANA_RESULT.items,
  },
  result: BANANA_RESULT,
};

export function failed(code: ScanFailureCode): AnalysisOutcome {
  return noAnalysis({ code, message: 'No.', retryable: false });
}

/** The result for an image whose bytes are `content`. */
export type Look = (content: string, image: ImageToAnalyse) => Promise<AnalysisOutcome>;

/** Scans, and workers whose events are recorded. */
export async function openWorkers() {
  const scans = await openScans();
  const events: string[] = [];
  return {
    scans,
    /** Events of the workers so far. */
    events,
    worker(look: Look, more: Partial<ScanWorkerOptions> = {}): ScanWorker {
      return new ScanWorker({
        ...scans,
        analyser: { analyse: (image) => look(Buffer.from(image.bytes).toString(), image) },
        foodsOf: async ({ tenant, userId }) => ({
          findByBarcode: async () => undefined,
          readNames: async () => [],
          findById: async () => undefined,
          search: async () => {
            throw new Error(`${tenant} ${userId}`);
          },
        }),
        timeoutMs: 1_000,
        concurrency: 2,
        observer: {
          looked() {},
          settled: ({ attempt }, outcome) => events.push(`${outcome} at ${attempt}`),
          postponed: ({ attempt }, reason) => events.push(`${reason} postponed at ${attempt}`),
          lost: () => events.push('lost'),
          broken: (doing) => events.push(`broken: ${doing}`),
        },
        ...more,
      });
    },
    /** The methods of the store, for a test that replaces one of them. */
    storeMethods() {
      const { store } = scans;
      return {
        claim: store.claim.bind(store),
        extendLease: store.extendLease.bind(store),
        release: store.release.bind(store),
        giveBack: store.giveBack.bind(store),
        settle: store.settle.bind(store),
        find: store.find.bind(store),
      };
    },
    /** The methods of the object store, for the same purpose. */
    objectMethods() {
      const { objects } = scans;
      return {
        read: objects.read.bind(objects),
        put: objects.put.bind(objects),
        delete: objects.delete.bind(objects),
      };
    },
    statusOf: async (id: ScanId) => (await scans.find(id))?.status,
    [Symbol.asyncDispose]: () => scans[Symbol.asyncDispose](),
  };
}
