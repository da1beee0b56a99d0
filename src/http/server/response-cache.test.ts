import { expect, test } from 'vitest';
import { ResponseCache } from './response-cache.ts';

function open(maxBytes = 10_000) {
  const cache = new ResponseCache({ maxBytes });
  let made = 0;
  const ask = (key: string, revision: number | string, body: string = key) => {
    const kept = cache.find({ key, revision });
    if (kept !== undefined) return kept.body;
    made++;
    cache.keep({ key, revision }, { status: 200, headers: {}, body });
    return body;
  };
  return { ask, made: () => made };
}

test('an answer is made once for each revision', () => {
  const { ask, made } = open();
  expect([ask('a', 1), ask('a', 1), ask('a', 1)]).toEqual(['a', 'a', 'a']);
  expect(made()).toBe(1);
  expect(ask('a', 2, 'other')).toBe('other');
  expect(ask('a', 2)).toBe('other');
  expect(made()).toBe(2);
});

test('memory is bounded: the answer that was asked for longest ago gives way', () => {
  const { ask, made } = open(4_000);
  const keys = Array.from({ length: 20 }, (_, at) => String.fromCharCode(97 + at));
  for (const key of keys) ask(key, 1);
  ask(keys.at(-1)!, 1);
  expect(made()).toBe(20);
  ask(keys[0]!, 1);
  expect(made()).toBe(21);
});

test('an answer that takes more than a sixteenth of the memory is not kept, and takes the place of no other', () => {
  const { ask, made } = open();
  ask('a', 1);
  const long = 'x'.repeat(1_000);
  ask('long', 1, long);
  ask('long', 1, long);
  expect(made()).toBe(3);
  ask('a', 1);
  expect(made()).toBe(3);
});
