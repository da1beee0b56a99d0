import type { AnalysisOutcome } from '../analysis/analysis.ts';
import type { ScanFailureCode, ScanId } from '../scan-job.ts';

export type ScanOutcome = 'completed' | ScanFailureCode;

/** One attempt at a scan. */
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
  /** The claim was lost to another worker, or the scan was removed: the outcome is dropped. */
  lost(scan: WorkedScan): void;
  /** Something failed that is not the image's fault. */
  broken(doing: string, error: unknown, id?: ScanId): void;
}
