import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { JsonElements } from './json-elements.ts';

function elementsOf(text: string, chunkBytes = 7, maxElementBytes = 10_000) {
  const found: unknown[] = [];
  let tooLarge = 0;
  const elements = new JsonElements({
    isWanted: (key) => key === 'Foods',
    maxElementBytes,
    onElement: (bytes) => found.push(JSON.parse(bytes.toString('utf8'))),
    onTooLarge: () => tooLarge++,
  });
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += chunkBytes) elements.push(bytes.subarray(at, at + chunkBytes));
  return { found, tooLarge, isWhole: elements.isWhole, listCount: elements.listCount };
}

describe('any document, in any chunks', () => {
  const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), { maxLength: 8 });
  const chunkBytes = fc.integer({ min: 1, max: 50 });

  test('all objects of a list are found in order', () => {
    fc.assert(
      fc.property(objects, chunkBytes, fc.constantFrom(undefined, 1), (list, size, indent) => {
        const copies = JSON.parse(JSON.stringify(list));
        expect(elementsOf(JSON.stringify(list, null, indent), size).found).toEqual(copies);
        const document = { before: [{ a: 1 }], Foods: list, after: { Foods: [{ b: 2 }] } };
        expect(elementsOf(JSON.stringify(document, null, indent), size)).toEqual({
          found: copies,
          tooLarge: 0,
          isWhole: true,
          listCount: 1,
        });
      }),
    );
  });

  test('a document that ends early is detected at any position', () => {
    const text = JSON.stringify({ Foods: [{ a: '}"\\' }, { b: [1, { c: 2 }] }] });
    for (let length = 1; length < text.length; length++) {
      expect(elementsOf(text.slice(0, length)).isWhole).toBe(false);
    }
  });
});

test('an object over the limit is reported and affects no other', () => {
  const text = JSON.stringify({ Foods: [{ a: 1 }, { b: 'x'.repeat(5_000) }, { c: 3 }] });
  expect(elementsOf(text, 100, 1_000)).toMatchObject({ found: [{ a: 1 }, { c: 3 }], tooLarge: 1 });
});
