import { expect, test } from 'vitest';
import { createIds, isId } from '../base/time-ordered-id.ts';
import { type NamedExecution, requestIds } from './idempotent-requests.ts';

const EXECUTION: NamedExecution = {
  name: { tenant: 'acme', userId: 'ann', idempotencyKey: 'k' },
  fingerprint: new Uint8Array(32),
  firstClaimedMs: 1_800_000_000_000,
  attempt: 1,
  isDone: false,
};
const idsOf = (more: Partial<NamedExecution> = {}, count = 3) => {
  const { timeMs, randomBytes } = requestIds({ ...EXECUTION, ...more });
  return createIds(count, timeMs, randomBytes);
};

test('a request that is executed again creates the same ids, however many', () => {
  expect(idsOf({ attempt: 2 })).toEqual(idsOf());
  expect(idsOf({}, 100).slice(0, 3)).toEqual(idsOf());
  expect(new Set(idsOf({}, 100)).size).toBe(100);
  expect(idsOf().every(isId)).toBe(true);
  expect([1, 2].map((attempt) => requestIds({ ...EXECUTION, attempt }).mayExist)).toEqual([false, true]);
});

test.each<[string, Partial<NamedExecution>]>([
  ['of another tenant', { name: { ...EXECUTION.name, tenant: 'other' } }],
  ['of another user', { name: { ...EXECUTION.name, userId: '' } }],
  ['with another key', { name: { ...EXECUTION.name, idempotencyKey: 'l' } }],
  ['with another body', { fingerprint: new Uint8Array(32).fill(1) }],
  ['of another day', { firstClaimedMs: EXECUTION.firstClaimedMs + 86_400_000 }],
])('a request %s creates other ids', (_, more) => {
  expect(idsOf(more).filter((id) => idsOf().includes(id))).toEqual([]);
});
