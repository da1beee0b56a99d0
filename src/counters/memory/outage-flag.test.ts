import { expect, test } from 'vitest';
import { OutageFlag } from './outage-flag.ts';

test('an outage begins with the first thread that reports it and ends with the last; each is reported once', () => {
  const memory = OutageFlag.createMemory();
  const [cell, other] = [new OutageFlag({ memory }), new OutageFlag({ memory })];
  expect([cell.set(0, false), cell.isOutage]).toEqual([false, false]);
  expect([cell.set(0, true), other.isOutage]).toEqual([true, true]);
  expect([other.set(1, true), cell.set(0, true)]).toEqual([false, false]);
  expect([cell.set(0, false), cell.isOutage]).toEqual([false, true]);
  expect([other.set(1, false), cell.isOutage]).toEqual([true, false]);
});

test('a thread that replaces a crashed one clears its flag', () => {
  const cell = new OutageFlag({ memory: OutageFlag.createMemory() });
  cell.set(3, true);
  expect(cell.set(3, false)).toBe(true);
  expect(cell.isOutage).toBe(false);
});
