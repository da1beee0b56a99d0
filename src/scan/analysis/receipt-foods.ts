import { round } from '@larder/core/rounding.ts';
import type { ReceiptProposal } from '../recognizer.ts';
import type { ReceiptProduct, ScanReceipt } from '../scan-receipt.ts';
import type { ScanFoods } from './scan-foods.ts';

/**
 * Below it no food is proposed: an unknown word is better left than guessed. `npm run bench -- receipts` prints what other values
 * would propose.
 */
const LEAST_CONFIDENCE = 0.6;
/** Below it a name is not legible enough to be looked for. */
const LEAST_LEGIBILITY = 0.7;

/** Finds the foods that the names on a receipt mean. */
export async function groundReceipt(
  { lines, lang }: ReceiptProposal,
  foods: Pick<ScanFoods, 'readNames'>,
): Promise<ScanReceipt> {
  const legible = lines.map(({ name, confidence }) => (confidence < LEAST_LEGIBILITY ? '' : name));
  const found = new Map((await foods.readNames(legible, lang)).map((each) => [each.index, each] as const));
  return {
    lines: lines.map(({ name: _, confidence: legibility, ...line }, at): ReceiptProduct => {
      const named = found.get(at);
      if (named === undefined || named.confidence < LEAST_CONFIDENCE) return line;
      const { id: foodId, name, brand } = named.food;
      const confidence = round(named.confidence * legibility);
      return { ...line, food: { foodId, name, ...(brand !== undefined && { brand }), confidence } };
    }),
  };
}
