import type { AnalysisOutcome } from '../analysis/analysis.ts';
import type { ScanFailureCode, ScanId } from '../scan-job.ts';

export type ScanOutcome = 'completed' | ScanFailureCode;

/** One attempt at a scan. */
export interface WorkedScan {
  readonly id: ScanId;
  /** Counted from 1. */
  readonly attempt: number;
  readonly ms: number;
}

/** Receives the events of scan work for logs and metrics. Methods do not throw. */
export interface ScanObserver {
  /** An image was analysed, whatever the outcome of its job. */
  looked(analysis: AnalysisOutcome['analysis']): void;
  settled(scan: WorkedScan, outcome: ScanOutcome): void;
  /** The job was released for another attempt. */
  postponed(scan: WorkedScan, reason: ScanFailureCode): void;
  /** The claim was lost to another worker, or the scan was removed: the outcome is dropped. */
  lost(scan: WorkedScan): void;
  /** Something failed for a reason other than the image. */
  broken(doing: string, error: unknown, id?: ScanId): void;
}
