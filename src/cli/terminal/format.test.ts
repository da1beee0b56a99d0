import { expect, test } from 'vitest';
import { size } from './format.ts';

test.each([
  [0, '0.0 MB'],
  [351_449_000, '351.4 MB'],
  [999_900_000, '999.9 MB'],
  [77_255_400_000, '77.3 GB'],
])('%d bytes are shown as %s', (bytes, shown) => {
  expect(size(bytes)).toBe(shown);
});
