import { expect, test } from 'vitest';
import { logisticFit } from './logistic-fit.ts';
import { Random } from './search-random.ts';

test('the weights by which examples were drawn are found again', () => {
  const random = new Random({ seed: 5 });
  const [first, second, bias] = [1.5, -0.8, 0.4];
  const examples = Array.from({ length: 20_000 }, () => {
    const values = [4 * random.next() - 2, 4 * random.next() - 2] as const;
    const p = 1 / (1 + Math.exp(-(first * values[0] + second * values[1] + bias)));
    return { values, isTrue: random.next() < p };
  });
  const found = logisticFit(examples);
  expect(found).toHaveLength(3);
  for (const [at, weight] of [first, second, bias].entries())
    expect(Math.abs(found[at]! - weight)).toBeLessThan(0.1);
});
