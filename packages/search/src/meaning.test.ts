import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { runs } from '../../../test/support/runs.ts';
import { SearchIndexBuilder } from './index/index-builder.ts';
import type { SearchHit } from './match/top-hits.ts';
import { MeaningIndex, MeaningIndexBuilder, withProposals } from './meaning-index.ts';
import { SearchIndex } from './search-index.ts';
import { buildWordVectors, cosine, DIMENSIONS, WordVectors } from './word-vectors.ts';

/** Words of one line have the same meaning. `##` begins a piece inside a word. */
const MEANINGS = [
  ['soda', 'cola', 'fizz'],
  ['soup', 'broth', 'potage', '##otage'],
  ['bread', 'toast', 'bun', '##ette'],
  ['cooked', 'p'],
];
const PIECES = MEANINGS.flat();

/** Each meaning has its own direction, drawn from a fixed sequence. */
function wordsOf(pieces: readonly string[]) {
  const bytes = new Int8Array(pieces.length * DIMENSIONS);
  for (const [number, piece] of pieces.entries()) {
    let state = 1 + MEANINGS.findIndex((words) => words.includes(piece));
    for (let i = 0; i < DIMENSIONS; i++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      bytes[number * DIMENSIONS + i] = state >> 24;
    }
  }
  const scales = new Uint32Array(new Float32Array(pieces.length).fill(0.01).buffer);
  return buildWordVectors(pieces, { bytes: new Uint8Array(bytes.buffer), scales });
}

const WORDS = wordsOf(PIECES);
const NAMES = ['Broth, cooked', 'Toast', 'Cola', 'Bun', 'Bread, cooked', 'Milk', 'Soup cooked'];

function meaningOf(names: readonly string[]): MeaningIndex {
  const builder = new MeaningIndexBuilder({ words: WORDS });
  for (const [document, name] of names.entries()) builder.add(document, name);
  return MeaningIndex.open(builder.finish())!;
}

function indexOf(names: readonly string[]): SearchIndex {
  const builder = new SearchIndexBuilder();
  for (const name of names) builder.add({ name, popularity: 100 });
  return SearchIndex.open(builder.finish());
}

const meaning = meaningOf(NAMES);
const foods = indexOf(NAMES);
const answersTo = (query: string, limit = 10): readonly SearchHit[] =>
  withProposals(foods.find(query, limit), meaning, { query, limit });
const namesOf = (answers: readonly { document: number }[]) => answers.map(({ document }) => NAMES[document]);

describe('vectors of words', () => {
  const vectors = new WordVectors(WORDS);

  it('are equal for words of one meaning, and use the longest pieces', () => {
    expect(cosine(vectors.of('SODA')!, vectors.of('fizz')!)).toBeCloseTo(1);
    expect(cosine(vectors.of('potage')!, vectors.of('Soup')!)).toBeCloseTo(1);
    expect(vectors.of('potages')).toBeUndefined();
    expect(vectors.of('')).toBeUndefined();
  });

  it('give the words after the comma of a name less weight', () => {
    const soup = vectors.of('soup')!;
    expect(cosine(vectors.ofName('Soup, cooked')!, soup)).toBeGreaterThan(
      cosine(vectors.of('Soup, cooked')!, soup),
    );
  });

  it('have length 1 for any text, or are undefined', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.array(fc.constantFrom(...PIECES)).map(String));
    fc.assert(
      fc.property(text, (typed) => {
        const vector = vectors.of(typed);
        if (vector !== undefined) expect(cosine(vector, vector)).toBeCloseTo(1);
      }),
      { numRuns: runs(300) },
    );
  });

  it('are undefined if the table was not loaded', () => {
    const { pieceSlots, pieceBytes, pieceScales } = WORDS;
    const empty = new WordVectors({
      pieceSlots: new Uint32Array(pieceSlots.length),
      pieceBytes: new Uint8Array(pieceBytes.length),
      pieceScales: new Uint32Array(pieceScales.length),
    });
    expect(empty.of('soda')).toBeUndefined();
  });
});

describe('foods by meaning', () => {
  it('are the nearest ones, equal ones in static order', () => {
    expect(namesOf(meaning.nearest('toast', 3, 0.5))).toEqual(['Toast', 'Bun', 'Bread, cooked']);
    expect(meaning.nearest('soda', 5, 0.9)).toMatchObject([
      { document: 2, similarity: expect.closeTo(1, 1) },
    ]);
    expect(meaning.nearest('zzz', 5, 0)).toEqual([]);
  });

  it('equal the result of comparing all foods', () => {
    const vectors = new WordVectors(WORDS);
    const phrase = fc.array(fc.constantFrom(...PIECES.filter((piece) => !piece.startsWith('#'))), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(fc.array(phrase, { minLength: 1, maxLength: 30 }), phrase, (named, asked) => {
        const names = named.map((words) => words.join(' '));
        const query = asked.join(' ');
        const near = meaningOf(names).nearest(query, 5, 0.3);
        const best = names
          .map((name) => cosine(vectors.ofName(name)!, vectors.of(query)!))
          .filter((similarity) => similarity >= 0.3)
          .toSorted((a, b) => b - a);
        expect(near.length).toBeLessThanOrEqual(5);
        for (const [rank, { score }] of near.entries()) {
          expect(score).toBeCloseTo(best[rank]!, 1);
        }
      }),
      { numRuns: runs(100) },
    );
  });
});

describe('proposals', () => {
  it('are returned if no food has the words', () => {
    expect(answersTo('fizz')).toEqual([
      { document: 2, score: expect.any(Number), similarity: expect.closeTo(1, 1) },
    ]);
    expect(foods.search('fizz', 10)).toEqual([]);
  });

  it('follow the foods with every word, and alternate with those that lack some', () => {
    const complete = foods.find('bread', 10);
    expect(complete.complete).toBeGreaterThan(0);
    expect(answersTo('bread')[0]).toEqual(complete.hits[0]);
    const some = foods.find('broth potage', 10);
    expect([some.complete, some.hits.length > 0]).toEqual([0, true]);
    expect(answersTo('broth potage')[0]).toEqual(some.hits[0]);
  });

  it('are absent for digits, without vectors, and if the words found enough', () => {
    const options = { query: 'soda', limit: 10 };
    const found = { hits: [{ document: 6, score: 5 }], complete: Number.POSITIVE_INFINITY };
    expect(withProposals(found, meaning, options)).toEqual(found.hits);
    expect(withProposals({ ...found, complete: 1 }, undefined, options)).toEqual(found.hits);
    expect(withProposals({ ...found, complete: 1 }, meaning, { ...options, query: '40084107' })).toEqual(
      found.hits,
    );
  });

  it('are rarer for words that are known only by their parts, and beside a food of the typed name', () => {
    const near = meaningOf(['Soup cooked bread', 'Soup']);
    const proposals = (query: string, found = { hits: [] as SearchHit[], complete: 0 }) =>
      withProposals(found, near, { query, limit: 9 }).filter(({ similarity }) => similarity !== undefined);
    const similarity = near.similarity('soup', 'Soup cooked bread');
    expect(similarity).toBeGreaterThan(0.4);
    expect(similarity).toBeLessThan(0.65);
    expect(proposals('soup')).toHaveLength(2);
    const named = { hits: [{ document: 1, score: 250 }], complete: 1 };
    expect(proposals('pppotage', named)).toHaveLength(0);
  });

  it('come without hits that lack words if one that has all is much better', () => {
    const found = { hits: [90, 60, -50, -61].map((score, document) => ({ document, score })), complete: 1 };
    const kept = withProposals(found, undefined, { query: 'soup', limit: 9 });
    expect(kept.map(({ score }) => score)).toEqual([90, 60, -50]);
    const none = { ...found, complete: 0 };
    expect(withProposals(none, undefined, { query: 'soup', limit: 9 })).toEqual(none.hits);
  });

  it('keep the order of the words, are prefix-stable, and repeat nothing', () => {
    const words = fc.array(fc.constantFrom(...PIECES, 'milk', 'mlik', 'x'), { maxLength: 4 });
    const text = fc.oneof(
      words.map((some) => some.join(' ')),
      fc.string({ unit: 'binary', maxLength: 300 }),
    );
    fc.assert(
      fc.property(text, fc.integer({ min: 0, max: 12 }), (query, limit) => {
        const answers = answersTo(query, 12);
        expect(answersTo(query, 12)).toEqual(answers);
        expect(answersTo(query, limit)).toEqual(answers.slice(0, limit));
        const documents = answers.map(({ document }) => document);
        expect(new Set(documents).size).toBe(documents.length);
        const { hits } = foods.find(query, 12);
        const byWords = hits.map(({ document }) => document);
        const inWords = documents.filter((document) => byWords.includes(document));
        // A food proposed before its turn among the words keeps the better rank.
        const proposed = new Set(
          answers.flatMap((answer) => (answer.similarity === undefined ? [] : [answer.document])),
        );
        expect(inWords.filter((document) => !proposed.has(document))).toEqual(
          byWords.filter((document) => inWords.includes(document) && !proposed.has(document)),
        );
        for (const [rank, { score }] of answers.entries()) {
          if (rank > 0) expect(score).toBeLessThanOrEqual(answers[rank - 1]!.score);
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
