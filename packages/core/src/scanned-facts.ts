import { z } from 'zod';

// Facts that a scanned code states beside the number of its product.

const date = z.iso.date();
const assumed = z
  .literal(true)
  .optional()
  .describe('The label of a scale holds a weight or a price, and does not say which: let the user choose.');

const amount = z
  .object({ quantity: z.number().positive(), unit: z.enum(['g', 'ml']), assumed })
  .meta({ id: 'ScannedAmount' });
const price = z
  .object({
    value: z.number().min(0),
    currency: z
      .string()
      .optional()
      .describe('ISO 4217, three digits; absent for the currency of the country.'),
    assumed,
  })
  .meta({ id: 'ScannedPrice' });

export const scannedFactsSchema = z
  .object({
    amount: amount.optional().describe('The net weight or volume, as a diary entry takes it.'),
    price: price.optional(),
    batch: z.string().optional(),
    serial: z.string().optional(),
    expiryDate: date.optional(),
    bestBeforeDate: date.optional(),
    sellByDate: date.optional(),
    productionDate: date.optional(),
    packagingDate: date.optional(),
    count: z.int().min(0).optional().describe('Pieces in the package.'),
    addOn: z.string().optional().describe('The two or five digits beside an EAN or UPC.'),
    other: z
      .record(z.string(), z.string())
      .optional()
      .describe('Further elements, by GS1 application identifier.'),
    unread: z.string().optional().describe('The end of the code, if it cannot be read.'),
  })
  .meta({ id: 'ScannedFacts', description: 'Other data in the code, besides the number of the product.' });

export type ScannedFacts = z.infer<typeof scannedFactsSchema>;
