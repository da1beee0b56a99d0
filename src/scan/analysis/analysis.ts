import { type PartialNutrients, sumsOfKnown } from '@larder/core/nutrients.ts';
import type { ImageFacts } from '../images/image-facts.ts';
import type { KeptProposal, RecognizerName, RecognizerUsage } from '../recognizer.ts';
import type { ScanFailure, ScanId, ScanJob } from '../scan-job.ts';
import { type PhotoVector, type ScanItem, type ScanResult, withoutReasons } from '../scan-result.ts';

/** Raise it with each change that readers of the previous version would misread. */
export const ANALYSIS_VERSION = 1;

/** The run of one recognizer. */
export interface RecognizerRun {
  readonly name: RecognizerName;
  readonly version: string;
  readonly ms: number;
  readonly outcome: 'recognized' | 'nothing' | 'unavailable' | 'not_in_catalogue';
  readonly proposals: readonly KeptProposal[];
  readonly usage?: RecognizerUsage;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** All findings of an analysis. The file behind `resultUrl` holds them together with the fields of the job. */
export interface Analysis {
  readonly version: typeof ANALYSIS_VERSION;
  /** Absent if the bytes are not an image. */
  readonly image?: ImageFacts & { readonly sizeBytes: number };
  readonly timings: { readonly decodeMs: number; readonly groundMs: number; readonly totalMs: number };
  readonly recognizers: readonly RecognizerRun[];
  readonly items: readonly ScanItem[];
}

export type AnalysisOutcome = { readonly analysis: Analysis } & (
  | { readonly result: ScanResult; readonly vector?: PhotoVector | undefined }
  | { readonly failure: ScanFailure }
);

/** The outcome of an image that was not analysed, or only partly. */
export function noAnalysis(failure: ScanFailure, totalMs = 0): AnalysisOutcome {
  const timings = { decodeMs: 0, groundMs: 0, totalMs };
  return { analysis: { version: ANALYSIS_VERSION, timings, recognizers: [], items: [] }, failure };
}

/** The full analysis as clients read it. It contains none of the image's own metadata. */
export interface StoredAnalysis extends Omit<Analysis, 'items'> {
  readonly jobId: ScanId;
  readonly clientId: string;
  readonly status: 'completed';
  /** ISO 8601, UTC. */
  readonly createdAt: string;
  readonly finishedAt: string;
  /** The result of the whole plate, without the items. */
  readonly result: Omit<ScanResult, 'items'> & { readonly nutrients: PartialNutrients };
  readonly items: readonly (Omit<ScanItem, Personal> & { readonly nutrients: PartialNutrients })[];
}

/** Fields of an item that reveal something of a diary. */
type Personal = 'because' | 'likePhoto';

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
    result: { ...plate, nutrients: sumsOfKnown(analysis.items.map(({ macros }) => macros)) },
    ...analysis,
    // Its URL needs no credential, so it says nothing of a diary.
    items: analysis.items.map((item) => ({ ...withoutReasons(item), nutrients: item.macros })),
  };
}

export const TIMED_OUT: ScanFailure = {
  code: 'analysis_timeout',
  message: 'The analysis of the image took too long.',
  retryable: true,
};

export const CRASHED: ScanFailure = {
  code: 'internal_error',
  message: 'The analysis of the image broke off; try again later.',
  retryable: true,
};
