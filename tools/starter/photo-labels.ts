import { type FoodId, toFoodId } from '@larder/core/food.ts';
import { numberIn, readTable, rowError, type TableRow } from '../../src/foods/starter/starter-table.ts';

const PHOTO_LABEL_TABLE = new URL('photo-labels.tsv', import.meta.url);
const COLUMNS = ['set', 'label', 'food', 'typical', 'low', 'high'] as const;

/** The food of a class of a photo data set, and its usual amount on a plate. */
export interface PhotoLabel {
  /** The data set whose classes the label is from: `food101`, `grocery`, `ecustfd`. */
  readonly set: string;
  readonly label: string;
  /** A food of the starter table. */
  readonly foodId: FoodId;
  /** Amounts in the food's basis, g or ml; low and high include most portions. */
  readonly typicalAmount: number;
  readonly lowAmount: number;
  readonly highAmount: number;
}

/** All labels in table order. Throws an `OperatorError` with file and line if the table is damaged. */
export function readPhotoLabels(): PhotoLabel[] {
  return readTable(PHOTO_LABEL_TABLE, COLUMNS).map((row) => {
    const { set, label, food } = row.values;
    const [lowAmount, typicalAmount, highAmount] = [
      amountIn(row, 'low'),
      amountIn(row, 'typical'),
      amountIn(row, 'high'),
    ];
    if (!(0 < lowAmount && lowAmount <= typicalAmount && typicalAmount <= highAmount)) {
      throw rowError(row, 'low, typical and high are not in order');
    }
    return { set, label, foodId: toFoodId('starter', food), typicalAmount, lowAmount, highAmount };
  });
}

type Column = (typeof COLUMNS)[number];

function amountIn(row: TableRow<Column>, column: Column): number {
  const amount = numberIn(row, column);
  if (amount === undefined) throw rowError(row, `${column} is missing`);
  return amount;
}
