import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fold } from './tokenise.ts';

describe('fold', () => {
  it('equates texts that differ in case and accents alone', () => {
    expect(fold('Crème BRÛLÉE')).toBe('creme brulee');
    expect(fold('Żółty ser, Käse, jamón, pão, ñ, Åland')).toBe('zolty ser, kase, jamon, pao, n, aland');
  });

  it('spells out letters without a plain form', () => {
    expect(fold('Weißwurst Œufs smørrebrød Ægir')).toBe('weisswurst oeufs smorrebrod aegir');
  });

  it.each([
    ['בָּצָל', 'בצל'],
    ['خُبْز', 'خبز'],
    ['أرز', 'ارز'],
    ['قهوة', 'قهوه'],
    ['タマゴ', fold('たまご')],
    ['ｶﾚｰ', fold('かれー')],
    ['पकौड़ा', fold('पकौडा')],
  ])('equates %s with and without marks that people leave out', (written, typed) => {
    expect(fold(written)).toBe(fold(typed));
  });

  it('leaves folded text unchanged', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (text) => fold(fold(text)) === fold(text)));
  });
});
