import { BusyError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { KeyLookUps } from './key-look-ups.ts';
import type { StoredKey } from './key-store.ts';

const stored = (id: string): StoredKey => ({
  key: { id, tenant: 'acme', scopes: ['scan'], createdAt: 0 },
  secretHash: new Uint8Array(32),
});

/** A store that keeps each query pending until the test resolves it. */
function open() {
  const questions: { ids: readonly string[]; answer: PromiseWithResolvers<readonly StoredKey[]> }[] = [];
  const lookUps = new KeyLookUps({
    store: {
      findAll(ids) {
        const answer = Promise.withResolvers<readonly StoredKey[]>();
        questions.push({ ids, answer });
        return answer.promise;
      },
    },
  });
  return { lookUps, questions };
}

test('look-ups during a query share the next query, each key once', async () => {
  const { lookUps, questions } = open();
  const first = lookUps.find('a');
  const later = ['b', 'c', 'b', 'a'].map((id) => lookUps.find(id));
  expect(questions.map(({ ids }) => ids)).toEqual([['a']]);
  questions[0]!.answer.resolve([stored('a')]);
  expect(await first).toEqual(stored('a'));
  await expect.poll(() => questions.map(({ ids }) => ids)).toEqual([['a'], ['b', 'c', 'a']]);
  questions[1]!.answer.resolve([stored('a'), stored('b')]);
  expect(await Promise.all(later)).toEqual([stored('b'), undefined, stored('b'), stored('a')]);
});

test('a failed query rejects all of its look-ups, and the next query runs', async () => {
  const { lookUps, questions } = open();
  const first = lookUps.find('a');
  const second = lookUps.find('b');
  questions[0]!.answer.reject(new Error('away'));
  await expect(first).rejects.toThrow('away');
  await expect.poll(() => questions).toHaveLength(2);
  questions[1]!.answer.resolve([stored('b')]);
  expect(await second).toEqual(stored('b'));
});

test('a query has at most 500 keys, and look-ups beyond 10,000 pending ones are refused', async () => {
  const { lookUps, questions } = open();
  const found = Array.from({ length: 10_001 }, (_, at) => lookUps.find(`k${at}`));
  await expect(lookUps.find('one more')).rejects.toThrow(BusyError);
  for (let at = 0; at <= 20; at++) {
    await expect.poll(() => questions[at]?.ids).toHaveLength(at === 0 ? 1 : 500);
    questions[at]!.answer.resolve(questions[at]!.ids.map(stored));
  }
  expect((await Promise.all(found)).map((one) => one!.key.id)).toEqual(found.map((_, at) => `k${at}`));
});
