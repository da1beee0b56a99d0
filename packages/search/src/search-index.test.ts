import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { type SearchDocument, SearchIndexBuilder } from './index/index-builder.ts';
import { runAll } from './index/steps.ts';
import { MAX_WORK } from './query/query-limits.ts';
import { SearchIndex } from './search-index.ts';

function indexOf(documents: readonly SearchDocument[]): SearchIndex {
  const builder = new SearchIndexBuilder();
  for (const document of documents) builder.add(document);
  return SearchIndex.open(builder.finish());
}

function smallIndexOf(documents: readonly SearchDocument[]): SearchIndex {
  const builder = new SearchIndexBuilder();
  for (const document of documents) builder.add(document);
  return SearchIndex.open(runAll(builder.finishSmall()));
}

const FOODS: readonly SearchDocument[] = [
  { name: 'Milk', popularity: 250 },
  { name: 'Banana, raw', popularity: 240 },
  { name: 'Crème brûlée', brand: 'Maison', popularity: 200 },
  { name: 'Cookie, animal', popularity: 180 },
  { name: 'Coca Cola 330ml', brand: 'Coca-Cola', popularity: 170 },
  { name: 'Hamburger', popularity: 160 },
  { name: 'Prawns, raw', popularity: 159 },
  { name: 'Milk 2 % fat', brand: 'Dairy', popularity: 150 },
  { name: 'Milk chocolate', brand: 'Milka', popularity: 140 },
  { name: 'Apfelsaft', popularity: 120 },
  { name: 'Carrots in tomato sauce', aliases: ['copper pennies'], popularity: 60 },
  { name: 'Strawberry jam', popularity: 50 },
  { name: 'Ice cream, vanilla', popularity: 40 },
  { name: 'Eggplant, raw', popularity: 30 },
  { name: 'Soft drink, cola', popularity: 20 },
  { name: 'Macaroni with cheese', popularity: 10 },
  { name: "Chips Ahoy S'mores", popularity: 5 },
  { name: 'Blackberries', aliases: ['mores'], popularity: 90 },
];
const foods = indexOf(FOODS);
const names = (query: string) => foods.search(query, 20).map((hit) => FOODS[hit.document]!.name);

describe('SearchIndex', () => {
  it.each([
    ['banana', 'Banana, raw'],
    ['BANANAS', 'Banana, raw'],
    ['creme brulee', 'Crème brûlée'],
    ['brulee maison', 'Crème brûlée'],
    ['straw', 'Strawberry jam'],
    ['jam strawb', 'Strawberry jam'],
    ['strawbery jam', 'Strawberry jam'],
    ['hambruger', 'Hamburger'],
    ['hamburgr', 'Hamburger'],
    ['animal cookies', 'Cookie, animal'],
    ['cocacola', 'Coca Cola 330ml'],
    ['cola 330 ml', 'Coca Cola 330ml'],
    ['ham burger', 'Hamburger'],
    ['icecream', 'Ice cream, vanilla'],
    ['copper pennies', 'Carrots in tomato sauce'],
    ['aubergine', 'Eggplant, raw'],
    ['soda', 'Soft drink, cola'],
    ['milk 2%', 'Milk 2 % fat'],
    ['milka', 'Milk chocolate'],
    ['elsaft', 'Apfelsaft'],
    ['grandmas strawberry marmalade jam', 'Strawberry jam'],
    ['mac and cheese', 'Macaroni with cheese'],
    ["s'mores", "Chips Ahoy S'mores"],
    ['smores', "Chips Ahoy S'mores"],
    ['mores', 'Blackberries'],
  ])('answers "%s" with %s first', (query, name) => {
    expect(names(query)[0]).toBe(name);
  });

  it('ranks the food of exactly this name before foods whose names contain it', () => {
    expect(names('milk').slice(0, 3)).toEqual(['Milk', 'Milk chocolate', 'Milk 2 % fat']);
  });

  it('ranks the food of exactly this name before a more popular one with this alias', () => {
    const index = indexOf([
      { name: 'Blueberry scone', aliases: ['scone'], popularity: 255 },
      { name: 'Cheese scone', brand: 'Acme', popularity: 90 },
      { name: 'Scone', popularity: 60 },
    ]);
    expect(index.search('scone', 2).map(({ document }) => document)).toEqual([2, 0]);
  });

  it('finds compounds that end with a rare word before words that it may be a typo of', () => {
    const index = indexOf([
      ...['Salt', 'Salt, iodised', 'Sea salt', 'Salted butter'].map((name) => ({ name, popularity: 250 })),
      { name: 'Orange juice', aliases: ['Orangensaft'], popularity: 90 },
      { name: 'Orangen', popularity: 10 },
      { name: 'Apfel', popularity: 10 },
      { name: 'Apfelsaft', popularity: 20 },
      // "Krä" is not a word.
      { name: 'Kräsaft', popularity: 200 },
    ]);
    expect(index.search('saft', 2).map(({ document }) => document)).toEqual([4, 7]);
  });

  it.each([
    ['peer', 'another first letter of a short word'],
    ['xrawberry', 'another first letter beside a second typo'],
    ['spezi', 'a misspelt beginning of five letters'],
  ])('does not treat "%s" as a typo: %s', (query) => {
    const index = indexOf(
      ['Beer', 'Strawberry', 'Special cookies'].map((name) => ({ name, popularity: 200 })),
    );
    expect(index.search(query, 5)).toEqual([]);
  });

  it('finds nothing that has only the function words of a query', () => {
    expect(names('blanquette with veau')).toEqual([]);
  });

  it('finds nothing for meaningless text', () => {
    expect(names('')).toEqual([]);
    expect(names('???')).toEqual([]);
    expect(names('qqqqwwww')).toEqual([]);
  });

  it('shows other names before duplicates of one, and drops none', () => {
    const copies = Array.from({ length: 30 }, (_, at) => ({
      name: 'Oat milk',
      brand: `Brand ${at % 10}`,
      popularity: 90,
    }));
    const index = indexOf([
      ...copies,
      { name: 'Oat milk, vanilla', popularity: 1 },
      { name: 'Oat milk bar', popularity: 0 },
    ]);
    const found = index.search('oat milk', 20).map((hit) => hit.document);
    expect(found.slice(0, 5)).toEqual([0, 1, 2, 30, 31]);
    expect(new Set(found).size).toBe(20);
  });

  it('drops no duplicates that match every word when it also tries typos and partial matches', () => {
    const copy = {
      name: 'Organic milk chocolate bar with roasted hazelnuts and sea salt',
      brand: 'Acme',
      popularity: 90,
    };
    const index = indexOf(Array.from({ length: 30 }, () => copy));
    for (const query of ['chocolate bar', 'choclate bar', copy.name]) {
      for (const limit of [1, 20, 30, 100]) {
        const found = index.search(query, limit).map((hit) => hit.document);
        expect(found).toEqual(Array.from({ length: Math.min(limit, 30) }, (_, at) => at));
      }
    }
  });

  it('ranks generic foods before branded ones of the same name', () => {
    const index = indexOf([
      { name: 'Rice', brand: 'Acme', popularity: 40 },
      { name: 'Rice', popularity: 40 },
    ]);
    expect(index.search('rice', 2).map((hit) => hit.document)).toEqual([1, 0]);
  });

  it('gives the same answers to the same query, whatever ran before', () => {
    const query = fc.array(fc.constantFrom('milk', 'mlik', 'choc', 'co', 'raw', 'cola', 'ice', 'x'), {
      maxLength: 4,
    });
    fc.assert(
      fc.property(query, query, (one, other) => {
        const first = foods.search(one.join(' '), 20);
        foods.search(other.join(' '), 20);
        expect(foods.search(one.join(' '), 20)).toEqual(first);
        expect(indexOf(FOODS).search(one.join(' '), 20)).toEqual(first);
      }),
      { numRuns: runs(50) },
    );
  });

  it('gives the same answers without the tables of large indexes', () => {
    const small = smallIndexOf(FOODS);
    const letters = fc.string({ unit: fc.constantFrom(...'abceiklmor 3'), maxLength: 24 });
    const slip = fc
      .tuple(fc.constantFrom(...FOODS), fc.nat({ max: 20 }), fc.constantFrom('', 'e', 'x', 'lk'))
      .map(([{ name }, at, typed]) => name.slice(0, at) + typed + name.slice(at + 1));
    fc.assert(
      fc.property(fc.oneof(letters, slip), fc.integer({ min: 1, max: 30 }), (query, limit) => {
        expect(small.search(query, limit)).toEqual(foods.search(query, limit));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('ranks favourites first if they match every word, those eaten more often before others', () => {
    const position = (name: string) => FOODS.findIndex((food) => food.name === name);
    const favourites = [
      { document: position('Milk 2 % fat'), timesEaten: 1 },
      { document: position('Milk chocolate'), timesEaten: 9 },
      { document: position('Hamburger'), timesEaten: 90 },
    ];
    const found = (query: string) =>
      foods.search(query, 20, { favourites }).map((hit) => FOODS[hit.document]!.name);
    expect(found('milk').slice(0, 3)).toEqual(['Milk chocolate', 'Milk 2 % fat', 'Milk']);
    expect(found('mil')).toEqual(expect.arrayContaining(['Milk']));
    expect(found('milk')).not.toContain('Hamburger');
    expect(found('raw prawns')[0]).toBe('Prawns, raw');
    expect(found('hambruger')[0]).toBe('Hamburger');
  });

  it('finds the same foods above a minimum score, and none below it', () => {
    for (const query of [
      'milk',
      'mlik chocolate',
      'raw',
      'cola 330',
      'strawberry marmalade',
      'hamburgr raw',
    ]) {
      for (const { score: floor } of foods.search(query, 20)) {
        const found = foods.search(query, 20, { floor });
        expect(found.filter(({ score }) => score < floor)).toEqual([]);
        const wanted = foods.search(query, 20).filter(({ score }) => score >= floor);
        expect(found).toEqual(expect.arrayContaining(wanted));
      }
    }
  });

  it('survives any text within its limits: no error, no more answers and no more work than allowed', () => {
    const piece = fc.constantFrom(
      'milk',
      'mi',
      'a',
      '🍕',
      '\u0000',
      '\ud800',
      '\udfff',
      '\u202e',
      'é\u0301',
      'ﷺ',
      '12',
      '%',
      '豆腐',
      "'",
    );
    const hostile = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc.array(piece, { maxLength: 80 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(' ')),
      fc.constantFrom('a'.repeat(200), 'milk '.repeat(40), `${'\u0301'.repeat(200)}`),
    );
    const many = indexOf(Array.from({ length: 400 }, (_, at) => FOODS[at % FOODS.length]!));
    fc.assert(
      fc.property(hostile, fc.integer({ min: -1, max: 300 }), (query, limit) => {
        const { hits, plans, tokens } = many.explain(query, limit);
        expect(many.search(query, limit)).toEqual(hits);
        expect(hits.length).toBeLessThanOrEqual(Math.max(0, limit));
        expect(tokens.length).toBeLessThanOrEqual(12);
        expect(plans.reduce((sum, plan) => sum + plan.postingsRead, 0)).toBeLessThanOrEqual(MAX_WORK * 1.1);
      }),
      { numRuns: runs(1_500) },
    );
  });

  it('answers from an empty index', () => {
    expect(indexOf([]).search('milk', 20)).toEqual([]);
    expect(indexOf([{ name: '!!!', popularity: 0 }]).search('milk', 20)).toEqual([]);
  });

  it('explains the plans and the scores', () => {
    const { tokens, plans, hits } = foods.explain('Hambruger', 5);
    expect(tokens).toEqual(['hambruger']);
    expect(
      plans.some((plan) => plan.words.some((word) => word.metBy.some((met) => met.startsWith('hamburger')))),
    ).toBe(true);
    expect(FOODS[hits[0]!.document]!.name).toBe('Hamburger');
  });

  it('names a missing section', () => {
    expect(() => SearchIndex.open({})).toThrow(/section "\w+" is missing/);
  });
});
