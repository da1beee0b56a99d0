import { expect, test } from 'vitest';
import { acceptedLanguages } from './accepted-languages.ts';

test.each([
  ['de-CH, en;q=0.5', 'de-CH,en'],
  ['en;q=0.5,pl', 'pl,en'],
  ['*', ''],
  ['fr;q=0, de', 'de'],
  ['', ''],
  ['de;q=many, <script>', ''],
  [
    Array.from({ length: 30 }, (_, at) => `a${String.fromCharCode(97 + (at % 26))}`).join(),
    'aa,ab,ac,ad,ae,af,ag,ah,ai,aj',
  ],
])('the languages of "%s" are "%s"', (header, tags) => expect(acceptedLanguages(header)).toBe(tags));
