import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { naiveCollapse } from '../../../../test/support/naive-search.ts';
import { runs } from '../../../../test/support/runs.ts';
import { BRAND, NAME, toDocumentEntry, toHeader } from '../index/document-table.ts';
import { TopHits } from './top-hits.ts';

const offers = fc.uniqueArray(
  fc.record({
    document: fc.integer({ min: 0, max: 200 }),
    score: fc.integer({ min: 0, max: 20 }),
    name: fc.integer({ min: 0, max: 4 }),
    brand: fc.integer({ min: 0, max: 3 }),
  }),
  { selector: ({ document }) => document, maxLength: 60 },
);

/** Documents with one word as name and one as brand, both given as numbers. */
function documentsOf(count: number, identity: (document: number) => { name: number; brand: number }) {
  const entries: number[] = [];
  const entryStarts = [0];
  for (let document = 0; document < count; document++) {
    const { name, brand } = identity(document);
    entries.push(
      toHeader(0, 1, true),
      toDocumentEntry(name, NAME, true),
      toDocumentEntry(brand, BRAND, true),
    );
    entryStarts.push(entries.length);
  }
  return { entries: Uint32Array.from(entries), entryStarts: Uint32Array.from(entryStarts) };
}

describe('Answers', () => {
  it('contain the best above a minimum score: one of each name and brand and three of each name before their duplicates', () => {
    fc.assert(
      fc.property(offers, fc.integer({ min: 1, max: 20 }), fc.integer({ max: 20 }), (all, limit, floor) => {
        const own = new Map(all.map((offer) => [offer.document, offer]));
        const answers = new TopHits({
          floor,
          limit,
          documents: documentsOf(201, (document) => own.get(document) ?? { name: 0, brand: 0 }),
        });
        for (const { document, score } of all) answers.offer(document, score);
        const sorted = all
          .filter(({ score }) => score >= floor)
          .map(({ document, score }) => ({ document, score }))
          .sort((a, b) => b.score - a.score || a.document - b.document);
        const identityOf = (document: number) => ({
          name: String(own.get(document)!.name),
          brand: String(own.get(document)!.brand),
        });
        expect(answers.list()).toEqual(naiveCollapse(sorted, limit, identityOf));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('after narrowing, have at most the new limit of names, and their duplicates up to the requested number', () => {
    const answers = new TopHits({
      floor: Number.NEGATIVE_INFINITY,
      limit: 6,
      documents: documentsOf(42, (document) => ({ name: document % 10, brand: 0 })),
    });
    for (const document of [1, 11, 21, 31]) answers.offer(document, 50);
    answers.narrowTo(2);
    for (const document of [41, 2, 3]) answers.offer(document, 50);
    const found = answers.list().map(({ document }) => document);
    expect(found).toEqual([1, 2, 11, 21, 31, 41]);
  });

  it('keep the higher of two scores of a document', () => {
    const answers = new TopHits({
      floor: Number.NEGATIVE_INFINITY,
      limit: 3,
      documents: documentsOf(8, (document) => ({ name: document, brand: 0 })),
    });
    answers.offer(7, 10);
    answers.offer(7, 30);
    answers.offer(7, 20);
    expect(answers.list()).toEqual([{ document: 7, score: 30 }]);
  });
});
