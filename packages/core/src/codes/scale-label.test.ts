import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkDigit, toGtin } from '../gtin.ts';
import { itemKeysOf, measureFacts, withoutMeasure } from './scale-label.ts';

const label = (body: string) => toGtin(body + checkDigit(body));
const item = fc.stringMatching(/^2[0-9]{6}$/);
const measure = fc.stringMatching(/^[0-9]{5}$/);

test('all labels of one item share a key, and none with another item', () => {
  fc.assert(
    fc.property(item, measure, measure, (code, one, other) => {
      const [key] = itemKeysOf(label(code + one));
      expect(itemKeysOf(label(code + other))[0]).toBe(key);
      const neighbour = code.slice(0, -1) + String((Number(code.at(-1)) + 1) % 10);
      expect(itemKeysOf(label(neighbour + other))[0]).not.toBe(key);
      expect(withoutMeasure(label(code + one))[0]).toBe(label(`${code}00000`));
    }),
  );
});

// The verifiers are the worked examples of the standard: 9 for 28.75, 6 for 146.85.
test('labels with a verifier share a key whatever the measure', () => {
  expect(itemKeysOf(label('201234614685'))).toEqual(['02012346', '0201234v']);
  expect(measureFacts(label('021234592875'))).toEqual({
    amount: { quantity: 2875, unit: 'g', assumed: true },
    price: { value: 28.75, assumed: true },
  });
});

test('a measure is offered as weight and as price, since the label does not say which it is', () => {
  expect(measureFacts(label('201234500678'))).toEqual({
    amount: { quantity: 678, unit: 'g', assumed: true },
    price: { value: 6.78, assumed: true },
  });
  expect(measureFacts(label('201234500000'))).toBeUndefined();
});

test.each(['3017620422003', '2012345006780', '96385074'])('%s is no label of a scale', (code) => {
  expect(itemKeysOf(toGtin(code))).toEqual([]);
  expect(measureFacts(toGtin(code))).toBeUndefined();
  expect(withoutMeasure(toGtin(code))).toEqual([]);
});
