import fc from 'fast-check';
import { expect, test } from 'vitest';
import { normalise } from './normalise.ts';
import { repairTwiceEncoded, TWICE_ENCODED_PAIR } from './twice-encoded.ts';

const misread = (text: string) => new TextDecoder('windows-1252').decode(Buffer.from(text));

test.each([
  ['CrÃ¨me brÃ»lÃ©e', 'Crème brûlée'],
  ['JalapeÃ±os', 'Jalapeños'],
  ['MÃ¼sli fÃ¼r â‚¬2', 'Müsli für €2'],
  ['Lâ€™huile dâ€™olive', 'L’huile d’olive'],
  ['PÃ£o de aÃ§Ãºcar', 'Pão de açúcar'],
  ['CrÃƒÂ¨me', 'Crème'],
])('%s is %s', (text, repaired) => {
  expect(repairTwiceEncoded(text)).toEqual({ text: repaired, isRepaired: true, isDoubtful: false });
});

test.each(['Crème brûlée', 'MAÇÃ', '«PÃO»', 'Ångström', 'São João', '20 °C', 'Ελιά', '味噌', 'Café – 2 €'])(
  '%s is not changed',
  (text) => {
    expect(repairTwiceEncoded(text)).toEqual({ text, isRepaired: false, isDoubtful: false });
  },
);

test('text that is partly encoded twice is kept, and reported', () => {
  const text = 'Crème brÃ»lÃ©e';
  expect(repairTwiceEncoded(text)).toEqual({ text, isRepaired: false, isDoubtful: true });
  const per100 = { energy: 1, protein: 0, fat: 0, carbohydrates: 0.3 };
  const read = (name: string) => normalise({ origin: 'off', key: '1', name, per100 }, 0);
  expect(read(text)).toMatchObject({
    food: { name: text },
    mended: ['name that may be encoded twice in part kept'],
  });
  expect(read('CrÃ¨me brÃ»lÃ©e')).toMatchObject({
    food: { name: 'Crème brûlée' },
    mended: ['name that was encoded twice repaired'],
  });
});

test('any twice-encoded text of European languages is repaired', () => {
  const word = fc.stringMatching(/^[A-Za-zÀ-ÖØ-öø-ÿ '’“”–]{2,30}$/);
  fc.assert(
    fc.property(word, (text) => {
      // Two such letters in a row may be one that was encoded twice: this cannot be decided.
      fc.pre(/[^ -~]/.test(text) && !TWICE_ENCODED_PAIR.test(text));
      expect(repairTwiceEncoded(misread(text)).text).toBe(text);
    }),
  );
});
