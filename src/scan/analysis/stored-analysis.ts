import type { ScanId, ScanJob } from '../scan-job.ts';
import type { ScanResult } from '../scan-result.ts';
import type { Analysis } from './analysis.ts';

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
