import { expect, test } from 'vitest';
import { parseTicks } from './machine-load.ts';

test('ticks are summed over all kinds of processor time', () => {
  const stat = 'cpu  10 2 3 70 5 0 1 9 4 4\ncpu0 10 2 3 70 5 0 1 9 4 4\n';
  expect(parseTicks(stat)).toEqual({ total: 100, idle: 75, stolen: 9 });
});
