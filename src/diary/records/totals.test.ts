import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AMOUNT_KEYS, type AmountKey, type Amounts, MAIN_AMOUNTS } from './entry.ts';
import { sumAmounts, toPartSums, toSums } from './totals.ts';

/** Values up to 50 of a unit, so that the parts of a hundred items fit into an entry. */
const thousandths = fc.nat(50_000);
const item = fc
  .record(
    Object.fromEntries(AMOUNT_KEYS.map((key) => [key, thousandths])) as Record<AmountKey, typeof thousandths>,
    {
      requiredKeys: ['calories', 'protein', 'carbs', 'fat'],
    },
  )
  .map((amounts) => ({ amounts: amounts as unknown as Amounts }));
const items = fc.array(item, { minLength: 1, maxLength: 100 });

test('a part has the amounts of the whole, divided and rounded half up', () => {
  fc.assert(
    fc.property(items, fc.integer({ min: 1, max: 1000 }), (of, parts) => {
      const whole = toSums(sumAmounts(of));
      const part = toPartSums(sumAmounts(of), parts);
      const divided = Object.entries(whole.totals).map(([key, total]) => [
        key,
        Number((2n * BigInt(total) + BigInt(parts)) / (2n * BigInt(parts))),
      ]);
      expect(part).toEqual({ ...whole, totals: Object.fromEntries(divided) });
    }),
  );
});

test('a part leaves out amounts that an entry cannot hold', () => {
  const of = [
    { amounts: { calories: 0, protein: 0, carbs: 0, fat: 0, fiber: 1, iron: 1, sugars: 0 } as Amounts },
  ];
  expect(toPartSums(sumAmounts(of), 5e-324)).toEqual({
    totals: { calories: 0, protein: 0, carbs: 0, fat: 0, sodium: 0, sugars: 0 },
    incomplete: ['sodium'],
    statedBy: { sodium: 0 },
  });
});

test('without items all sums are 0 and complete', () => {
  const totals = Object.fromEntries(MAIN_AMOUNTS.map((key) => [key, 0]));
  expect(toSums(sumAmounts([]))).toEqual({ totals, incomplete: [], statedBy: {} });
});

test('how many items state a sum that is too low is counted, and 0 is stated', () => {
  const required = { calories: 0, protein: 0, carbs: 0, fat: 0, fiber: 0, sodium: 0 };
  const of = [{ ...required, magnesium: 7 }, { ...required, magnesium: 0, zinc: 0 }, required] as unknown[];
  const sums = toSums(sumAmounts(of.map((amounts) => ({ amounts: amounts as Amounts }))));
  expect(sums.totals).toMatchObject({ magnesium: 7, zinc: 0 });
  expect(sums).toMatchObject({ incomplete: ['magnesium', 'zinc'], statedBy: { magnesium: 2, zinc: 1 } });
});
