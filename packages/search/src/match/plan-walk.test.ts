import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NaiveDocument, type NaivePlan, naiveSearch } from '../../../../test/support/naive-search.ts';
import { runs } from '../../../../test/support/runs.ts';
import { Dictionary } from '../index/dictionary.ts';
import { documentsNamed } from '../index/document-table.ts';
import { SearchIndexBuilder } from '../index/index-builder.ts';
import { PostingLists } from '../index/posting-lists.ts';
import { toIndexSections } from '../index/sections.ts';
import type { Plan, Slot, WeightedRange } from '../query/plan.ts';
import { Budget, MAX_WORK } from '../query/query-limits.ts';
import { EXACT } from '../query/ranking-weights.ts';
import { disjointRanges, joinedSpans } from '../query/slot-maker.ts';
import { PlanRunner } from './plan-walk.ts';
import { toBounds } from './scorer.ts';
import { TopHits } from './top-hits.ts';

const WORDS = [
  'apple',
  'applet',
  'april',
  'bean',
  'beans',
  'cake',
  'corn',
  'cola',
  'dark',
  'egg',
  'fig',
  'ham',
];

const word = fc.constantFrom(...WORDS);
const document = fc.record({
  name: fc.array(word, { minLength: 1, maxLength: 5 }),
  brand: fc.array(word, { maxLength: 2 }),
  aliases: fc.array(fc.array(word, { minLength: 1, maxLength: 3 }), { maxLength: 2 }),
  popularity: fc.integer({ min: 0, max: 255 }),
});
const slot = fc.record({
  weights: fc
    .array(fc.tuple(word, fc.constantFrom(EXACT, EXACT, 170, 150, 120)), { minLength: 1, maxLength: 9 })
    .map((pairs) => new Map(pairs)),
  missingCost: fc.integer({ min: 20, max: 150 }),
});

/** Runs a plan over an index of the documents, to compare with the naive search. */
function search(documents: readonly NaiveDocument[], naive: NaivePlan, limit: number) {
  const builder = new SearchIndexBuilder();
  for (const { name, brand, aliases, popularity } of documents) {
    const branded = brand.length === 0 ? {} : { brand: brand.join(' ') };
    builder.add({
      name: name.join(' '),
      ...branded,
      aliases: aliases.map((alias) => alias.join(' ')),
      popularity,
    });
  }
  const sections = toIndexSections(builder.finish());
  const dictionary = new Dictionary(sections);
  const lists = new PostingLists(sections);
  const plan: Plan = {
    ...naive,
    reading: 'test',
    slots: naive.slots.map((each) => toSlot(each, dictionary, lists)),
  };
  const runner = new PlanRunner({
    documents: sections,
    lists,
    bounds: toBounds(sections),
  });
  const answers = new TopHits({
    limit,
    floor: Number.NEGATIVE_INFINITY,
    documents: sections,
  });
  const budget = new Budget();
  const typed = naive.slots.map(
    ({ weights }) => [...weights].find(([, weight]) => weight === EXACT)?.[0] ?? '',
  );
  const named = documentsNamed(
    sections,
    typed.map((each) => dictionary.find(each)),
  );
  const given = Array.from(named, (document) => ({ document, bonus: 0 }));
  runner.runOver(given, { ...plan, maxMissingCost: 0 }, answers, budget);
  runner.run(plan, answers, budget);
  expect(budget.isSpent).toBe(false);
  // Work is charged for every posting read, including those that prepare a probe.
  expect(MAX_WORK - budget.work).toBeGreaterThanOrEqual(budget.postingsRead + budget.documentsScored);
  return answers.list();
}

function toSlot(
  { weights, missingCost }: NaivePlan['slots'][number],
  dictionary: Dictionary,
  lists: PostingLists,
): Slot {
  const collected: WeightedRange[] = [];
  for (const [each, weight] of weights) {
    const term = dictionary.find(each);
    if (term >= 0) collected.push({ from: term, to: term + 1, weight });
  }
  const spans = joinedSpans(collected);
  const size = spans.reduce((sum, { from, to }) => sum + lists.count(from, to), 0);
  return { token: '', ranges: disjointRanges(collected), spans, size, missingCost, isDoubtful: false };
}

/** A slot has at most one exact word, like a typed word. */
function withOneExact(slots: NaivePlan['slots']): NaivePlan['slots'] {
  return slots.map(({ weights, missingCost }) => {
    const exact = [...weights].findIndex(([, weight]) => weight === EXACT);
    const adjusted = [...weights].map(
      ([each, weight], at) => [each, weight === EXACT && at !== exact ? 165 : weight] as const,
    );
    return { weights: new Map(adjusted), missingCost };
  });
}

describe('PlanRunner', () => {
  it('finds the same best documents as scoring every one, if every word is required', () => {
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 60 }),
        fc.array(slot, { minLength: 1, maxLength: 4 }),
        fc.constantFrom(0, 35),
        fc.integer({ min: 1, max: 20 }),
        (documents, slots, cost, limit) => {
          const required = slots.map((each) => ({ ...each, missingCost: Number.POSITIVE_INFINITY }));
          const plan = { slots: withOneExact(required), cost, maxMissingCost: 0 };
          expect(search(documents, plan, limit)).toEqual(naiveSearch(documents, plan, limit));
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('finds the same best documents as scoring every one, if words may be missing', () => {
    fc.assert(
      fc.property(
        fc.array(document, { minLength: 1, maxLength: 60 }),
        fc.array(slot, { minLength: 2, maxLength: 5 }),
        fc.integer({ min: 0, max: 300 }),
        fc.integer({ min: 1, max: 20 }),
        (documents, slots, maxMissingCost, limit) => {
          const plan = { slots: withOneExact(slots), cost: 0, maxMissingCost };
          const found = search(documents, plan, limit);
          // Documents without any of the words are not found.
          const holdsAny = ({ name, brand, aliases }: NaiveDocument) =>
            [...name, ...brand, ...aliases.flat()].some((each) =>
              slots.some(({ weights }) => weights.has(each)),
            );
          const wanted = naiveSearch(documents, plan, documents.length).filter((hit) =>
            holdsAny(documents[hit.document]!),
          );
          expect(found).toEqual(wanted.slice(0, limit));
        },
      ),
      { numRuns: runs(400) },
    );
  });

  it('finds the same best documents if lists are long enough for bitmaps', () => {
    const many = fc.array(document, { minLength: 40, maxLength: 60 }).map((few) =>
      Array.from({ length: 4_000 }, (_, at) => {
        const base = few[at % few.length]!;
        return {
          ...base,
          name: [...base.name, WORDS[(at * 7) % WORDS.length]!],
          popularity: 255 - Math.floor(at / 16),
        };
      }),
    );
    fc.assert(
      fc.property(many, fc.array(slot, { minLength: 2, maxLength: 3 }), (documents, slots) => {
        const required = slots.map((each) => ({ ...each, missingCost: Number.POSITIVE_INFINITY }));
        const plan = { slots: withOneExact(required), cost: 0, maxMissingCost: 0 };
        expect(search(documents, plan, 20)).toEqual(naiveSearch(documents, plan, 20));
      }),
      { numRuns: runs(8) },
    );
  });
});
