import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OperatorError } from '@larder/core/errors.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPILED_AT, writeSegment } from '../../../test/support/compiled-foods.ts';
import { sampleFood } from '../../../test/support/sample-foods.ts';
import { Catalogue } from '../catalogue/catalogue.ts';
import { MEANING_PREFIX } from '../catalogue/catalogue-file.ts';
import { loadCatalogueImage } from '../catalogue/load-catalogue.ts';
import { compileCatalogue } from './compile.ts';
import { readWordVectors } from './read-word-vectors.ts';

const SHIPPED = fileURLToPath(new URL('../../../models/food-words', import.meta.url));

const GENERIC = [
  'Soft drink, cola',
  'Macaroni with cheese',
  'Frankfurter or hot dog sandwich, plain, on bun',
  'Orange juice, 100%',
  'Peanut butter and jelly sandwich',
  'Beef steak, braised',
  'Milk, whole',
  'Bread, white, toasted',
  'Carrots, raw',
  'Rice, white, cooked',
].map((name, index) => sampleFood('fdc', String(index), { name }));

let folder: string;
let withMeaning: string;
let withoutMeaning: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'larder-meaning-'));
  withMeaning = join(folder, 'with');
  withoutMeaning = join(folder, 'without');
  const segment = join(folder, 'a.segment');
  await writeSegment(segment, GENERIC);
  const options = { segments: [segment], nowMs: () => COMPILED_AT };
  await compileCatalogue({ ...options, out: withMeaning, words: readWordVectors(SHIPPED) });
  await compileCatalogue({ ...options, out: withoutMeaning });
});
afterAll(() => rmSync(folder, { recursive: true }));

const openCatalogue = async (file: string, leftOut?: string) =>
  Catalogue.open(await loadCatalogueImage(file, { leftOut }));
const namesOf = (foods: readonly { name: string }[]) => foods.map(({ name }) => name);

describe('a catalogue with vectors', () => {
  it.each([
    ['fizzy pop', 'Soft drink, cola'],
    ['mac n chz', 'Macaroni with cheese'],
    ['OJ', 'Orange juice, 100%'],
    ['PB&J', 'Peanut butter and jelly sandwich'],
  ])('proposes foods for "%s" that its words do not find', async (query, name) => {
    const catalogue = await openCatalogue(withMeaning);
    const proposed = catalogue.proposals(query, 3).map(({ food }) => food);
    expect(namesOf(proposed)).toContain(name);
    expect(namesOf(catalogue.search(query, 10))).toContain(name);
  });

  it('proposes nothing for a text without words', async () => {
    const catalogue = await openCatalogue(withMeaning);
    for (const query of ['zxqv', '3017620422003', '%&/', '']) expect(catalogue.search(query, 10)).toEqual([]);
  });

  it('marks hits that are proposals, and explains the same search', async () => {
    const catalogue = await openCatalogue(withMeaning);
    const scored = catalogue.searchScored('cola', 10);
    expect(scored[0]!.food.name).toBe('Soft drink, cola');
    expect(scored[0]!.similarity).toBeUndefined();
    for (const { similarity } of scored.slice(1)) expect(similarity).toBeGreaterThan(0);
    expect(catalogue.explain('cola', 10).hits).toEqual(scored);
  });

  it('returns the similarity of a text and a name', async () => {
    const catalogue = await openCatalogue(withMeaning);
    const similarity = (name: string) => catalogue.similarity('fizzy pop', name);
    expect(similarity('Soft drink, cola')).toBeGreaterThan(similarity('Beef steak, braised'));
    expect(similarity('')).toBe(0);
  });

  it('products have no vectors', async () => {
    const file = join(folder, 'products');
    const segment = join(folder, 'products.segment');
    const name = 'Soft drink, cola';
    await writeSegment(segment, [
      sampleFood('off', '1', { name, brand: 'Fizz' }),
      sampleFood('off', '4008400402222', { name, barcode: '4008400402222' }),
    ]);
    await compileCatalogue({
      segments: [segment],
      out: file,
      nowMs: () => COMPILED_AT,
      words: readWordVectors(SHIPPED),
    });
    expect((await openCatalogue(file)).proposals(name, 5)).toEqual([]);
  });
});

describe('a catalogue without vectors, or with disabled vectors', () => {
  it('searches by words only', async () => {
    const without = await openCatalogue(withoutMeaning);
    const leftOut = await openCatalogue(withMeaning, MEANING_PREFIX);
    for (const catalogue of [without, leftOut]) {
      expect(catalogue.search('fizzy pop', 10)).toEqual([]);
      expect(catalogue.proposals('fizzy pop', 10)).toEqual([]);
      expect(catalogue.similarity('milk', 'milk')).toBe(0);
    }
    expect(leftOut.searchScored('cola rice', 10)).toEqual(without.searchScored('cola rice', 10));
  });
});

describe('the shipped table', () => {
  it('has pieces that can all be distinguished', () => {
    const { pieceSlots, pieceScales } = readWordVectors(SHIPPED);
    const taken = pieceSlots.filter((value, at) => at % 2 === 1 && value !== 0);
    expect(new Set(taken).size).toBe(pieceScales.length);
  });

  it('throws a clear error if it is missing', () => {
    expect(() => readWordVectors(folder)).toThrow(OperatorError);
  });
});
