import type { AnalysisOutcome } from './analysis.ts';
import type { ScanFoods } from './scan-foods.ts';

export interface ImageToAnalyse {
  readonly bytes: Uint8Array;
  /** Those that the scan's owner sees. */
  readonly foods: ScanFoods;
  readonly timeoutMs: number;
}

/**
 * Analyses images without blocking the caller's thread, a bounded number at a time; further ones wait in order. An image
 * that exceeds its time ends with `analysis_timeout`, one that crashes its process with `internal_error`; neither affects
 * others.
 */
export interface ImageAnalyser {
  analyse(image: ImageToAnalyse): Promise<AnalysisOutcome>;
  close(): Promise<void>;
}
