import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseJson, refusalOf } from './body.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from './limits.ts';

const refusal = (json: string) => refusalOf(Buffer.from(json))?.message;
const list = (count: number, value: string) => `[${Array(count).fill(value).join(',')}]`;
const TOO_MANY = `The body has more than ${MAX_JSON_VALUES} values.`;

test.each([
  ['numbers', list(MAX_JSON_VALUES - 2, '0'), list(MAX_JSON_VALUES, '0')],
  ['arrays', list(MAX_JSON_VALUES / 2 - 1, '[]'), list(MAX_JSON_VALUES / 2, '[]')],
  [
    'fields',
    `{${list(MAX_JSON_VALUES - 2, '"a":0').slice(1, -1)}}`,
    `{${list(MAX_JSON_VALUES, '"a":0').slice(1, -1)}}`,
  ],
])('as many %s as are allowed pass, and no more', (_, allowed, tooMany) => {
  expect(refusal(allowed)).toBeUndefined();
  expect(refusal(tooMany)).toBe(TOO_MANY);
});

test('what stands in texts is not counted', () => {
  expect(refusal(JSON.stringify([`\\"${',[{'.repeat(MAX_JSON_VALUES)}`, '\\', '"']))).toBeUndefined();
});

test.each([
  ["{'text': 'egg'}", 'The body is not valid JSON (line 1 column 2).'],
  ['{"a":\n 1 2}', 'The body is not valid JSON (line 2 column 4).'],
  ['secret', 'The body is not valid JSON.'],
  ['{"a":', 'The body is not valid JSON.'],
  ['{"__proto__":{}}', 'No field may be named "__proto__", nor "constructor" with a field "prototype".'],
])('%j is refused with its place, if known, and never quoted', (json, message) => {
  expect(() => parseJson(Buffer.from(json))).toThrow(expect.objectContaining({ message }));
});

test('depth is what JSON says', () => {
  const any = fc.jsonValue({ maxDepth: 5 });
  const depthOf = (value: unknown): number =>
    typeof value !== 'object' || value === null
      ? 0
      : 1 + Math.max(0, ...Object.values(value).map((inner) => depthOf(inner)));
  fc.assert(
    fc.property(any, fc.integer({ min: MAX_JSON_DEPTH - 5, max: MAX_JSON_DEPTH }), (value, outer) => {
      const json = `${'['.repeat(outer)}${JSON.stringify(value)}${']'.repeat(outer)}`;
      expect(refusal(json) !== undefined).toBe(outer + depthOf(value) > MAX_JSON_DEPTH);
    }),
  );
});

test('reading stops at the first byte beyond a limit', () => {
  let read = 0;
  const bytes = new Proxy(Buffer.alloc(1_000_000, ','), {
    get: (target, name) => {
      if (name === 'length') return target.length;
      read++;
      return Reflect.get(target, name) as unknown;
    },
  });
  expect(refusalOf(bytes)?.message).toBe(TOO_MANY);
  expect(read).toBe(MAX_JSON_VALUES);
});
