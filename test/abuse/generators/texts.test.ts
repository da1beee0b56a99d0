import { expect, test } from 'vitest';
import { Random } from '../../../bench/support/search-random.ts';
import { MAX_TEXT, pathologicalText, regexBait, SCRIPT_NAMES } from './texts.ts';

test('there are ten scripts, and each text is a valid query', () => {
  expect(SCRIPT_NAMES).toHaveLength(10);
  const random = new Random({ seed: 1 });
  for (const script of SCRIPT_NAMES) {
    const texts = Array.from({ length: 200 }, () => pathologicalText(script, random));
    for (const text of texts) {
      expect([...text].length).toBeLessThanOrEqual(MAX_TEXT);
      expect([...text.trim()].length).toBeGreaterThan(MAX_TEXT / 4);
      expect(text.isWellFormed()).toBe(true);
    }
    expect(new Set(texts).size).toBeGreaterThan(100);
  }
});

test('equal seeds give equal texts', () => {
  const [one, two] = [new Random({ seed: 5 }), new Random({ seed: 5 })];
  expect(pathologicalText('thai', one)).toBe(pathologicalText('thai', two));
});

test('bait has the requested length and ends without a match', () => {
  for (const text of regexBait(128)) {
    expect(text).toHaveLength(128);
    expect(text.endsWith('!')).toBe(true);
  }
});
