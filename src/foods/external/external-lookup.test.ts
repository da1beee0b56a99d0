import type { Food } from '@larder/core/food.ts';
import { checkDigit, type Gtin, toGtin } from '@larder/core/gtin.ts';
import { describe, expect, test } from 'vitest';
import type { RawFood } from '../import/normalise/raw-food.ts';
import { CIRCUIT_LIMITS, CircuitBreaker } from './circuit-breaker.ts';
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
        limits: CIRCUIT_LIMITS,
        nowMs: () => clock.nowMs,
      }),
  );
  const external = new ExternalLookup({
    sources,
    keep: async (food) => void kept.push(food),
    nowMs: () => clock.nowMs,
    onAnswer: (source, outcome) => told.push(`${source} ${outcome}`),
  });
  return { external, clock, asked, kept, told };
}

describe('look-ups at external services', () => {
  test('the first complete answer becomes a food and is kept', async () => {
    const { external, asked, kept, told } = lookup(
      () => undefined,
      () => complete,
      () => complete,
    );
    const food = await external.find('acme', [gtin]);
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

  test('a product without the required nutrients is skipped', async () => {
    const { external, asked } = lookup(
      () => ({ ...complete, per100: { fat: 1 } }),
      () => complete,
    );
    expect((await external.find('acme', [gtin]))?.name).toBe('Plum jam');
    expect(asked).toEqual(['s0', 's1']);
  });

  test('an unknown number is not looked up again for a day', async () => {
    const { external, clock, asked } = lookup(() => undefined);
    await external.find('acme', [gtin]);
    clock.nowMs += DAY_MS - 1;
    expect(await external.find('acme', [gtin])).toBeUndefined();
    expect(asked).toHaveLength(1);
    clock.nowMs += 2;
    await external.find('acme', [gtin]);
    expect(asked).toHaveLength(2);
  });

  test('a failure is not cached as unknown, and other services are still asked', async () => {
    const { external, asked } = lookup(
      () => new ExternalFailure('answered 500'),
      () => undefined,
    );
    expect(await external.find('acme', [gtin])).toBeUndefined();
    await external.find('acme', [gtin]);
    expect(asked).toEqual(['s0', 's1', 's0', 's1']);
  });

  test('concurrent look-ups of one number share a request and get the same food', async () => {
    const { external, asked, kept } = lookup(() => complete);
    const [a, b] = await Promise.all([external.find('acme', [gtin]), external.find('acme', [gtin])]);
    expect(a).toBe(b);
    expect(asked).toHaveLength(1);
    expect(kept).toHaveLength(1);
  });

  test('numbers are looked up in order, until one is known', async () => {
    const other = toGtin('5901234123457');
    const numbers: Gtin[] = [];
    const { external, kept } = lookup((wanted) => {
      numbers.push(wanted);
      return wanted === gtin ? complete : undefined;
    });
    expect((await external.find('acme', [other, gtin, toGtin('96385074')]))?.gtin).toBe(gtin);
    expect(numbers).toEqual([other, gtin]);
    expect(kept).toHaveLength(1);
    // A number that is known to be unknown causes no request, and does not count towards the maximum.
    await external.find('acme', [other, gtin]);
    expect(numbers).toEqual([other, gtin, gtin]);
  });

  test('a failing service is not replaced by a request for a less certain number', async () => {
    const other = toGtin('5901234123457');
    const { external, asked } = lookup((wanted) =>
      wanted === gtin ? complete : new ExternalFailure('answered 500'),
    );
    expect(await external.find('acme', [other, gtin])).toBeUndefined();
    expect(asked).toEqual(['s0']);
  });

  test('a tenant may have a tenth of the waiting look-ups, and others have the rest', async () => {
    let answerAll = (): void => {};
    const waiting = new Promise<undefined>((resolve) => {
      answerAll = () => resolve(undefined);
    });
    const { external, asked } = lookup(() => waiting);
    let next = 0;
    const ask = (tenant: string, times: number) =>
      Promise.all(Array.from({ length: times }, () => external.find(tenant, [unknown(next++)])));

    const hostile = [ask('hostile', 25)];
    expect(asked).toHaveLength(10);
    const fair = ask('acme', 1);
    expect(asked).toHaveLength(11);
    // A look-up that joins a pending one takes no room.
    const joined = external.find('hostile', [unknown(next - 1)]);
    expect(await external.find('hostile', [unknown(next++)])).toBeUndefined();

    for (let at = 0; at < 20; at++) hostile.push(ask(`hostile${at}`, 25));
    expect(asked).toHaveLength(100);
    expect(await external.find('acme', [unknown(next++)])).toBeUndefined();

    answerAll();
    await Promise.all([...hostile, fair, joined]);
    void ask('hostile', 5);
    expect(asked).toHaveLength(105);
  });

  test('a number with a wrong check digit is not looked up', async () => {
    const { external, asked } = lookup(() => complete);
    expect(await external.find('acme', [toGtin('4006381333930')])).toBeUndefined();
    expect(asked).toEqual([]);
  });
});
