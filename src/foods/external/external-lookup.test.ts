import type { Food } from '@larder/core/food.ts';
import { checkDigit, type Gtin, toGtin } from '@larder/core/gtin.ts';
import { describe, expect, test } from 'vitest';
import type { RawFood } from '../import/normalise/raw-food.ts';
import { CircuitBreaker, GUARD_LIMITS } from './circuit-breaker.ts';
import { ExternalLookup } from './external-lookup.ts';
import { ExternalFailure } from './external-source.ts';

const gtin = toGtin('4006381333931');
const complete: RawFood = {
  origin: 'off',
  key: '4006381333931',
  name: 'Plum jam',
  barcode: '4006381333931',
  per100: { energy: 240, protein: 0.4, fat: 0.1, carbohydrates: 59 },
};
const DAY_MS = 24 * 60 * 60 * 1000;

type Answer = RawFood | undefined | Error | Promise<undefined>;

/** A number with a good check digit. */
function unknown(at: number): Gtin {
  const digits = `4006381${String(at).padStart(5, '0')}`;
  return toGtin(digits + checkDigit(digits));
}

function lookup(...answersOf: ((gtin: Gtin) => Answer)[]) {
  const clock = { nowMs: Date.UTC(2026, 0, 1) };
  const asked: string[] = [];
  const kept: Food[] = [];
  const told: string[] = [];
  const sources = answersOf.map(
    (answer, at) =>
      new CircuitBreaker({
        source: {
          name: `s${at}`,
          async find(wanted) {
            asked.push(`s${at}`);
            const given = await answer(wanted);
            if (given instanceof Error) throw given;
            return given;
          },
        },
        limits: GUARD_LIMITS,
        nowMs: () => clock.nowMs,
      }),
  );
  const outside = new ExternalLookup({
    sources,
    keep: async (food) => void kept.push(food),
    nowMs: () => clock.nowMs,
    onAnswer: (source, outcome) => told.push(`${source} ${outcome}`),
  });
  return { outside, clock, asked, kept, told };
}

describe('asking outside services', () => {
  test('the first complete answer becomes a food and is kept', async () => {
    const { outside, asked, kept, told } = lookup(
      () => undefined,
      () => complete,
      () => complete,
    );
    const food = await outside.find('acme', [gtin]);
    expect(food).toMatchObject({
      id: 'off:4006381333931',
      source: 'third_party_api',
      gtin,
      name: 'Plum jam',
    });
    expect(kept).toEqual([food]);
    expect(asked).toEqual(['s0', 's1']);
    expect(told).toEqual(['s0 unknown', 's1 found']);
  });

  test('an answer without the promised numbers is passed over', async () => {
    const { outside, asked } = lookup(
      () => ({ ...complete, per100: { fat: 1 } }),
      () => complete,
    );
    expect((await outside.find('acme', [gtin]))?.name).toBe('Plum jam');
    expect(asked).toEqual(['s0', 's1']);
  });

  test('what nobody knows is not asked again for a day', async () => {
    const { outside, clock, asked } = lookup(() => undefined);
    await outside.find('acme', [gtin]);
    clock.nowMs += DAY_MS - 1;
    expect(await outside.find('acme', [gtin])).toBeUndefined();
    expect(asked).toHaveLength(1);
    clock.nowMs += 2;
    await outside.find('acme', [gtin]);
    expect(asked).toHaveLength(2);
  });

  test('a failure is no answer: it is not remembered, and others are still asked', async () => {
    const { outside, asked } = lookup(
      () => new ExternalFailure('answered 500'),
      () => undefined,
    );
    expect(await outside.find('acme', [gtin])).toBeUndefined();
    await outside.find('acme', [gtin]);
    expect(asked).toEqual(['s0', 's1', 's0', 's1']);
  });

  test('twins ask once and get the same food', async () => {
    const { outside, asked, kept } = lookup(() => complete);
    const [a, b] = await Promise.all([outside.find('acme', [gtin]), outside.find('acme', [gtin])]);
    expect(a).toBe(b);
    expect(asked).toHaveLength(1);
    expect(kept).toHaveLength(1);
  });

  test('numbers are asked for in their order, until one is known', async () => {
    const other = toGtin('5901234123457');
    const numbers: Gtin[] = [];
    const { outside, kept } = lookup((wanted) => {
      numbers.push(wanted);
      return wanted === gtin ? complete : undefined;
    });
    expect((await outside.find('acme', [other, gtin, toGtin('96385074')]))?.gtin).toBe(gtin);
    expect(numbers).toEqual([other, gtin]);
    expect(kept).toHaveLength(1);
    // What is known to be unknown costs no question and no place among those that are asked for.
    await outside.find('acme', [other, gtin]);
    expect(numbers).toEqual([other, gtin, gtin]);
  });

  test('where a service fails no less certain number is asked for in its stead', async () => {
    const other = toGtin('5901234123457');
    const { outside, asked } = lookup((wanted) =>
      wanted === gtin ? complete : new ExternalFailure('answered 500'),
    );
    expect(await outside.find('acme', [other, gtin])).toBeUndefined();
    expect(asked).toEqual(['s0']);
  });

  test('a tenant has a tenth of the look-ups that wait at one time, and others have the rest', async () => {
    let answerAll = (): void => {};
    const waiting = new Promise<undefined>((resolve) => {
      answerAll = () => resolve(undefined);
    });
    const { outside, asked } = lookup(() => waiting);
    let next = 0;
    const ask = (tenant: string, times: number) =>
      Promise.all(Array.from({ length: times }, () => outside.find(tenant, [unknown(next++)])));

    const hostile = [ask('hostile', 25)];
    expect(asked).toHaveLength(10);
    const fair = ask('acme', 1);
    expect(asked).toHaveLength(11);
    // Whoever asks for a number that is asked for already takes no room.
    const joined = outside.find('hostile', [unknown(next - 1)]);
    expect(await outside.find('hostile', [unknown(next++)])).toBeUndefined();

    for (let at = 0; at < 20; at++) hostile.push(ask(`hostile${at}`, 25));
    expect(asked).toHaveLength(100);
    expect(await outside.find('acme', [unknown(next++)])).toBeUndefined();

    answerAll();
    await Promise.all([...hostile, fair, joined]);
    void ask('hostile', 5);
    expect(asked).toHaveLength(105);
  });

  test('a number whose check digit is wrong is not worth a question', async () => {
    const { outside, asked } = lookup(() => complete);
    expect(await outside.find('acme', [toGtin('4006381333930')])).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
