import { EditDistance } from '@larder/core/words/edit-distance.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { word as word8 } from '../../../../test/support/long-food.ts';
import { runs } from '../../../../test/support/runs.ts';
import { buildDeletionTable, MAX_EDITS, NO_DELETIONS } from '../index/deletion-table.ts';
import { buildDictionary, Dictionary } from '../index/dictionary.ts';
import { NO_BITMAPS, PostingLists } from '../index/posting-lists.ts';
import { runAll } from '../index/steps.ts';
import { Budget, MAX_SCANNED_WORDS } from './query-limits.ts';
import { editsAllowed, Spelling } from './spelling.ts';

const letter = fc.constantFrom('a', 'b', 'c');
const word = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
/** Places a word between other letters, as in a dictionary. */
const lettersOf = (text: string) => ({
  letters: Uint16Array.from(`ab${text}ba`, (each) => each.charCodeAt(0)),
  start: 2,
  length: text.length,
});

/** The textbook algorithm of optimal string alignment with a complete table. */
function naiveDistance(a: string, b: string): number {
  const table = Array.from({ length: a.length + 1 }, (_, i) =>
    Array.from({ length: b.length + 1 }, (_, j) => i || j),
  );
  for (let i = 1; i <= a.length; i++) {
    for (let j = 1; j <= b.length; j++) {
      const substitution = table[i - 1]![j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      table[i]![j] = Math.min(substitution, table[i - 1]![j]! + 1, table[i]![j - 1]! + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) table[i]![j] = Math.min(table[i]![j]!, table[i - 2]![j - 2]! + 1);
    }
  }
  return table[a.length]![b.length]!;
}

function spellingOf(words: readonly string[], hasTable = true): Spelling {
  const dictionary = new Dictionary(runAll(buildDictionary(words)));
  const each = Uint32Array.from({ length: words.length + 1 }, (_, term) => term);
  const lists = new PostingLists({
    postings: each.slice(0, -1),
    postingStarts: each,
    heads: each,
    blockHeads: each,
    ...NO_BITMAPS,
  });
  return new Spelling({
    dictionary,
    lists,
    deletions: hasTable ? buildDeletionTable(dictionary) : NO_DELETIONS,
  });
}

describe('EditDistance', () => {
  it('agrees with the complete table up to its limit', () => {
    const distance = new EditDistance();
    fc.assert(
      fc.property(word, word, fc.integer({ min: 1, max: 3 }), (a, b, limit) => {
        expect(distance.between(lettersOf(a), lettersOf(b), limit)).toBe(
          Math.min(naiveDistance(a, b), limit + 1),
        );
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe('Spelling', () => {
  it('finds every word within the edits that its length and first letter allow, and no other', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 22 }), word, (vocabulary, typed) => {
        const words = vocabulary.sort();
        const edits = editsAllowed(typed);
        const found = spellingOf(words).similar(typed, edits, new Budget());
        expect(spellingOf(words, false).similar(typed, edits, new Budget())).toEqual(found);
        const wanted = words.filter((each) => {
          const distance = naiveDistance(each, typed);
          if (each[0] !== typed[0] && (distance > 1 || typed.length < 5)) return false;
          return edits > 0 && each.length > 1 && distance > 0 && distance <= edits;
        });
        expect(found.map(({ term }) => words[term]).sort()).toEqual(wanted);
        for (const { term, edits: measured } of found)
          expect(measured).toBe(naiveDistance(words[term]!, typed));
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('finds words with a prefix one edit away from the typed one', () => {
    const spelling = spellingOf(['chocolate', 'choice', 'cola', 'mozzarella']);
    const found = (typed: string) => spelling.similarBeginnings(typed).map(({ from }) => from);
    expect(found('choclo')).toEqual([0]);
    expect(found('mozarel')).toEqual([3]);
    expect(found('mzozar')).toEqual([3]);
    expect(found('xyzxyz')).toEqual([]);
  });

  it('finds every word with a prefix one edit away, if these are few', () => {
    fc.assert(
      fc.property(fc.uniqueArray(word, { maxLength: 22 }), word, (vocabulary, typed) => {
        const words = vocabulary.sort();
        const found = spellingOf(words).similarBeginnings(typed);
        const near = words.filter((each) =>
          [-1, 0, 1].some((more) => {
            const beginning = each.slice(0, typed.length + more);
            return beginning[0] === typed[0] && naiveDistance(beginning, typed) === 1;
          }),
        );
        const isFound = (each: string) =>
          found.some(({ from, to }) => words.indexOf(each) >= from && words.indexOf(each) < to);
        if (typed.length >= 5) expect(near.filter((each) => !isFound(each))).toEqual([]);
      }),
      { numRuns: runs(1_000) },
    );
  });

  it('never allows more edits than the table supports', () => {
    fc.assert(fc.property(fc.string({ maxLength: 40 }), (text) => editsAllowed(text || 'a') <= MAX_EDITS));
  });

  it('scans at most the allowed number of words of a large vocabulary in one query', () => {
    const others = Array.from({ length: MAX_SCANNED_WORDS / 2 }, (_, at) => word8(at));
    const words = ['zzyzzyva', ...others].sort();
    const spelling = spellingOf(words, false);
    const budget = new Budget();
    const found = (within: Budget) => spelling.similar('zzyzyva', 1, within).map(({ term }) => words[term]);
    expect(found(budget)).toContain('zzyzzyva');
    expect(found(budget)).toEqual([]);
    expect(found(new Budget())).toContain('zzyzzyva');
  });
});
