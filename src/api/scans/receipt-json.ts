import { z } from 'zod';
import { RECEIPT_UNITS } from '../../scan/recognizers/receipt/receipt-amounts.ts';

export const receiptQuantity = z
  .object({
    value: z.number().positive(),
    unit: z.enum(RECEIPT_UNITS).optional().describe('Absent for pieces.'),
  })
  .meta({ id: 'ReceiptQuantity' });

/** The products of a receipt, in results and full analyses. */
export const scanReceipt = z
  .object({
    lines: z.array(
      z
        .object({
          text: z.string().describe('The name of the product as printed.'),
          quantity: receiptQuantity
            .optional()
            .describe('How many, or how much by weight; absent where it is not printed.'),
          size: receiptQuantity.optional().describe('The size of one package, where its name has it.'),
          price: z.string().describe('What the line costs, as a decimal number.').meta({ example: '2.58' }),
          unitPrice: z.string().optional().describe('What one piece, or one unit of `quantity`, costs.'),
          currency: z
            .string()
            .optional()
            .describe('As of ISO 4217, or `$`, where the receipt prints it.')
            .meta({ example: 'EUR' }),
          food: z
            .object({
              foodId: z.string(),
              name: z.string(),
              brand: z.string().optional(),
              confidence: z.number().min(0).max(1).describe('0 to 1.'),
            })
            .meta({ id: 'ReceiptFood' })
            .optional()
            .describe(
              'What the name probably means, to be confirmed. Absent for what is no food, and for unknown names.',
            ),
        })
        .meta({ id: 'ReceiptLine' }),
    ),
  })
  .meta({
    id: 'ScanReceipt',
    description:
      'What was bought, line by line. Totals, taxes, payments, deposits and discounts are left out. Nothing of it is written to a diary.',
  });
