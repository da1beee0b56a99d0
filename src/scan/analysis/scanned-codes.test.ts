import { expect, it } from 'vitest';
import { BARCODE, food, look, seeing } from '../../../test/support/analysed-photos.ts';

const spread = food('spread', 'Hazelnut spread', { barcode: BARCODE });
const seen = (digits: string) => seeing('barcode', [{ kind: 'barcode', digits, confidence: 0.9 }]);

it('a code that states the weight is served so, and says what else it holds', async () => {
  const outcome = await look({ recognizers: [seen(`(01)0${BARCODE}(3103)000250(10)AB`)], foods: [spread] });
  expect(outcome).toMatchObject({
    result: {
      items: [
        {
          barcode: BARCODE,
          serving: { value: 250, unit: 'g' },
          scanned: { amount: { quantity: 250, unit: 'g' }, batch: 'AB' },
        },
      ],
    },
  });
});

it('a link names the product that it is about', async () => {
  const outcome = await look({ recognizers: [seen(`https://id.gs1.org/01/0${BARCODE}`)], foods: [spread] });
  expect(outcome).toMatchObject({
    result: { items: [{ barcode: BARCODE, foodId: spread.id, serving: { value: 15, unit: 'g' } }] },
  });
  expect(outcome).not.toHaveProperty('result.items.0.scanned');
});
