import { expect, test } from 'vitest';
import { mediaType } from './media-type.ts';

test.each([
  ['image/jpeg', 'image/jpeg'],
  ['image/jpg', 'image/jpeg'],
  ['IMAGE/JPG', 'image/jpeg'],
  [' Image/PNG ', 'image/png'],
  ['image/webp; charset=binary', 'image/webp'],
  ['image/gif', 'image/gif'],
  ['', ''],
])('%j is %j', (given, type) => {
  expect(mediaType(given)).toBe(type);
});
