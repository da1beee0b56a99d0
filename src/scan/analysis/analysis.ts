import type { ImageFacts } from '../images/image-facts.ts';
import type { Proposal, RecognizerName, RecognizerUsage } from '../recognizer.ts';
import type { ScanFailure, ScanId, ScanJob } from '../scan-job.ts';
import type { ScanItem, ScanResult } from '../scan-result.ts';

/** To be raised with a change that readers of the version before would not understand. */
export const ANALYSIS_VERSION = 1;

/** What one recognizer did. */
export interface RecognizerRun {
  readonly name: RecognizerName;
  readonly version: string;
  readonly ms: number;
  readonly outcome: 'recognized' | 'nothing' | 'unavailable' | 'not_in_catalogue';
  readonly proposals: readonly Proposal[];
  readonly usage?: RecognizerUsage;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Everything that an analysis found, as it lies behind `resultUrl` together with the job's own fields. */
export interface Analysis {
  readonly version: typeof ANALYSIS_VERSION;
  /** Absent where the bytes are no image. */
  readonly image?: ImageFacts & { readonly sizeBytes: number };
  readonly timings: { readonly decodeMs: number; readonly groundMs: number; readonly totalMs: number };
  readonly recognizers: readonly RecognizerRun[];
  readonly items: readonly ScanItem[];
}

export type AnalysisOutcome = { readonly analysis: Analysis } & (
  | { readonly result: ScanResult }
  | { readonly failure: ScanFailure }
);

/** The outcome for an image that was never looked at, or not to the end. */
export function noAnalysis(failure: ScanFailure, totalMs = 0): AnalysisOutcome {
  const timings = { decodeMs: 0, groundMs: 0, totalMs };
  return { analysis: { version: ANALYSIS_VERSION, timings, recognizers: [], items: [] }, failure };
}

/** The full analysis as it is kept for clients. It holds nothing of the image's own metadata. */
export interface StoredAnalysis extends Analysis {
  readonly jobId: ScanId;
  readonly clientId: string;
  readonly status: 'completed';
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly finishedAt: string;
  /** The plate as a whole; its items stand beside it. */
  readonly result: Omit<ScanResult, 'items'>;
}

export function toStoredAnalysis(
  { id, clientId, createdAtMs }: Pick<ScanJob, 'id' | 'clientId' | 'createdAtMs'>,
  { analysis, result: { items: _, ...plate } }: { readonly analysis: Analysis; readonly result: ScanResult },
  finishedAtMs: number,
): StoredAnalysis {
  return {
    jobId: id,
    clientId,
    status: 'completed',
    createdAt: new Date(createdAtMs).toISOString(),
    finishedAt: new Date(finishedAtMs).toISOString(),
    result: plate,
    ...analysis,
  };
}

export const TIMED_OUT: ScanFailure = {
  code: 'analysis_timeout',
  message: 'The analysis of the image took too long.',
  retryable: true,
};

export const BROKE: ScanFailure = {
  code: 'internal_error',
  message: 'The analysis of the image broke off; try again later.',
  retryable: true,
};
