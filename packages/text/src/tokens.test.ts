import { expect, test } from 'vitest';
import { tokenise } from './tokens.ts';

test.each([
  ['227g', '227|g'],
  ['1 1/2 cups', '1 1/2|cups'],
  ['5¼oz', '5¼|oz'],
  ['1½-2', '1½|-|2'],
  ['1,5 l', '1,5|l'],
  ['1,000 g', '1,000|g'],
  ['2x330ml', '2|x|330|ml'],
  ['1lb2oz', '1|lb|2|oz'],
  ['15 oz/425 g', '15|oz|/|425|g'],
  ['11⁄2', '11⁄2'],
  ["Smith's d'huile", "Smith's|d'|huile"],
  ["L'été s'mores dell'Olio D’Œufs", "L'|été|s'mores|dell'|Olio|D’|Œufs"],
  ['2 Zwiebel(n), 1 Zehe/n (s)', '2|Zwiebel(n)|,|1|Zehe/n|(|s|)'],
  ['vitamin b12', 'vitamin|b12'],
  ['banana x2, eggs X3', 'banana|x|2|,|eggs|X|3'],
  ['x2go xx2', 'x2go|xx2'],
  ['a\r\nb', 'a|\r\n|b'],
])('%s', (text, tokens) => {
  expect(tokenise(text).map((token) => token.text)).toEqual(tokens.split('|'));
});

test('folds a word without its optional plural', () => {
  expect(tokenise('Œuf(s)').map((token) => token.folded)).toEqual(['oeuf']);
});

test('ends with the text, also if that was cut within a character', () => {
  // V8 keeps a long slice as a reference to the whole text, and its compiled pattern reads beyond the slice.
  const whole = '\u{a7021} and '.repeat(100);
  for (let length = 15; length < whole.length; length += 7) {
    const text = whole.slice(0, length);
    expect(tokenise(text).at(-1)).toMatchObject({ kind: 'symbol', end: text.length });
  }
});
