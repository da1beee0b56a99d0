import type { Food } from '../catalogue/food/food.ts';
import type { BarcodeMatch } from '../catalogue/food/food-finder.ts';
import type { AnalysisOutcome } from '../scan/analysis/analysis.ts';

/** What the pool asks of an analysis process, once it has loaded its recognizers: one image at a time. */
export interface AnalysisCalls {
  /** Gives up after `timeoutMs` wherever a recognizer lets it. */
  analyse(image: { readonly bytes: Uint8Array; readonly timeoutMs: number }): Promise<AnalysisOutcome>;
}

/** What an analysis process asks in return: the foods that the owner of its image sees. See `ScanFoods`. */
export interface FoodCalls {
  findByBarcode(digits: string): Promise<BarcodeMatch | undefined>;
  findById(id: string): Promise<Food | undefined>;
  search(query: { readonly text: string; readonly limit: number }): Promise<readonly Food[]>;
}
