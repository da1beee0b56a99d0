import type { FoodId } from '@larder/core/food.ts';
import type { ReceiptQuantity } from './recognizers/receipt/receipt-amounts.ts';

/** The food that the name of a product on a receipt probably means. */
export interface ReceiptFood {
  readonly foodId: FoodId;
  readonly name: string;
  readonly brand?: string;
  /** 0 to 1. */
  readonly confidence: number;
}

/** One product of a receipt. It says what was bought, not what was eaten, so it is never logged by itself. */
export interface ReceiptProduct {
  /** Its name as printed. */
  readonly text: string;
  /** How many, or how much by weight; absent where the receipt does not print it. */
  readonly quantity?: ReceiptQuantity;
  /** The size of one package, as its name has it. */
  readonly size?: ReceiptQuantity;
  /** What the line costs, as decimal text. */
  readonly price: string;
  /** What one piece, or one unit of `quantity`, costs. */
  readonly unitPrice?: string;
  readonly currency?: string;
  /** Absent if the product is no food, or its name is ambiguous. */
  readonly food?: ReceiptFood;
}

export interface ScanReceipt {
  /** In the order of the receipt; at least one. */
  readonly lines: readonly ReceiptProduct[];
}
