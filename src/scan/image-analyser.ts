import type { AnalysisOutcome } from './analysis.ts';
import type { ScanFoods } from './scan-foods.ts';

export interface ImageToAnalyse {
  readonly bytes: Uint8Array;
  /** Those that the scan's owner sees. */
  readonly foods: ScanFoods;
  readonly timeoutMs: number;
}

/**
 * Looks at images without holding up whoever asks. A bounded number at a time: more wait in their order. One that takes
 * longer than its time, or breaks what looks at it, ends with `analysis_timeout` or `internal_error` and harms no other.
 */
export interface ImageAnalyser {
  analyse(image: ImageToAnalyse): Promise<AnalysisOutcome>;
  close(): Promise<void>;
}
