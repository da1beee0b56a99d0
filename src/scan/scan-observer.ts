import type { AnalysisOutcome } from './analysis.ts';
import type { ScanFailureCode, ScanId } from './scan-job.ts';

export type ScanOutcome = 'completed' | ScanFailureCode;

/** What one attempt at a scan came to. */
export interface WorkedScan {
  readonly id: ScanId;
  /** 1 for the first. */
  readonly attempt: number;
  readonly ms: number;
}

/** Hears how the work goes, for logs and metrics; it throws nothing. */
export interface ScanObserver {
  /** An image was looked at, whatever becomes of its job. */
  looked(analysis: AnalysisOutcome['analysis']): void;
  settled(scan: WorkedScan, outcome: ScanOutcome): void;
  /** Another attempt follows. */
  postponed(scan: WorkedScan, reason: ScanFailureCode): void;
  /** Somebody else has the job, or it was removed: what was found is thrown away. */
  lost(scan: WorkedScan): void;
  /** Something is broken that concerns more than an image. */
  broken(doing: string, error: unknown, id?: ScanId): void;
}
