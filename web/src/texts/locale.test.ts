import { expect, it } from 'vitest';
import { LANGUAGE_CODES } from './languages.ts';
import { directionOf, localeOf } from './texts.ts';

it('writes dates and numbers as in the region of the browser, where it speaks the language', () => {
  expect(localeOf('en', ['de-CH', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(localeOf('de', ['de-CH'])).toBe('de-CH');
  expect(localeOf('fr', ['en-GB'])).toBe('fr');
  expect(localeOf('en', ['en-US@posix'])).toBe('en');
});

it('is written from right to left in Arabic and Hebrew', () => {
  expect(['ar', 'ar-EG', 'he', 'fa-IR'].map(directionOf)).toEqual(['rtl', 'rtl', 'rtl', 'rtl']);
  expect(LANGUAGE_CODES.map(directionOf)).toEqual(LANGUAGE_CODES.map(() => 'ltr'));
});
