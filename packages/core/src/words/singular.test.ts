import { expect, test } from 'vitest';
import { singularOf } from './singular.ts';

test.each([
  ['slices', 'slice'],
  ['loaves', 'loaf'],
  ['leaves', 'leaf'],
  ['halves', 'half'],
  ['berries', 'berry'],
  ['cookies', 'cookie'],
  ['potatoes', 'potato'],
  ['bunches', 'bunch'],
  ['boxes', 'box'],
  ['lbs', 'lb'],
  ['glass', 'glass'],
  ['spring onions', 'spring onion'],
])('the singular of %s is %s', (plural, singular) => expect(singularOf(plural)).toBe(singular));
