import { describe, expect, it } from 'vitest';
import { findExclusion, hasAllWords, hasWords, relationTo } from './exclusions.ts';

describe('the text without its exclusions', () => {
  it.each([
    ['turkey without skin', 'turkey'],
    ['turkey without the skin', 'turkey'],
    ['cocoa without milk and sugar', 'cocoa'],
    ['cereal without added sugar', 'cereal'],
    ['bagel no butter', 'bagel'],
    ['wrap without onions with chicken', 'wrap with chicken'],
    ['Pute ohne Haut', 'pute'],
    ['Müsli ohne Zucker', 'musli'],
    ['dinde sans la peau', 'dinde'],
    ['pavo sin piel', 'pavo'],
    ['tacchino senza pelle', 'tacchino'],
    ['peru sem pele', 'peru'],
    ['thé sans lait', 'the'],
  ])('of "%s" is "%s"', (query, rest) => {
    expect(findExclusion(query)?.rest).toBe(rest);
  });

  it.each(['caffeine-free tea', 'glutenfreie Nudeln', 'skinless turkey', 'unsalted butter'])(
    'of "%s" is undefined, since the exclusion is part of the food',
    (query) => {
      expect(findExclusion(query)).toMatchObject({ rest: undefined });
    },
  );

  it.each([
    ...['turkey with skin', 'free range turkey', 'wireless', 'bolo no pote', 'without milk', 'ohne'],
    ...['with or without skin', 'sandwich', 'resin', ''],
  ])('does not exist for "%s"', (query) => {
    expect(findExclusion(query)).toBeUndefined();
  });
});

describe('a food, compared with an exclusion', () => {
  const skin = findExclusion('turkey without skin')!;
  it.each([
    ['with', ['Turkey thigh with skin']],
    ['with', ['Turkey', 'Pute mit Haut']],
    ['without', ['Turkey breast, skin not eaten']],
    ['without', ['Turkey, without skin']],
    ['without', ['Turkey, no salt or skin']],
    ['without', ['Skinless turkey']],
    ['silent', ['Turkey']],
  ] as const)('is "%s": %j', (relation, texts) => {
    expect(relationTo(skin, texts)).toBe(relation);
  });

  it.each([
    ['cake sans sucre', 'Sugar-free cake'],
    ['Kuchen ohne Zucker', 'Unsweetened cake'],
    ['torta senza zucchero', 'Zuckerfreier Kuchen'],
  ])('is without it in another language: "%s", %s', (query, name) => {
    expect(relationTo(findExclusion(query)!, [name])).toBe('without');
  });

  it('contains a part of a compound', () => {
    expect(relationTo(findExclusion('Kakao ohne Milch')!, ['Milchkaffee'])).toBe('with');
  });
});

describe('the words of a food', () => {
  it('may be in the plural, and function words count if there are no others or all are requested', () => {
    expect(hasWords('cake with egg', ['Egg cakes'])).toBe(true);
    expect(hasWords('the', ['Cake'])).toBe(false);
    expect(hasAllWords('cake with egg', ['Egg cakes'])).toBe(false);
  });
});
