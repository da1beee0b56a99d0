import { expect, it } from 'vitest';
import { localeOf } from './texts.ts';

it('writes dates and numbers as in the region of the browser, where it speaks the language', () => {
  expect(localeOf('en', ['de-CH', 'en-GB', 'en-US'])).toBe('en-GB');
  expect(localeOf('de', ['de-CH'])).toBe('de-CH');
  expect(localeOf('fr', ['en-GB'])).toBe('fr');
  expect(localeOf('en', ['en-US@posix'])).toBe('en');
});
