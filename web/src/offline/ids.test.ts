import { expect, it } from 'vitest';
import { newId } from './ids.ts';

it('makes ULIDs that sort in the order of making, also when the clock goes back', () => {
  const ids = [5, 5, 5, 4, 6, 1].map((ms) => newId(1_700_000_000_000 + ms));
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
});
