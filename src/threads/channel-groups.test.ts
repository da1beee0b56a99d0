import { MessageChannel } from 'node:worker_threads';
import { ConstraintError, OutageError } from '@larder/core/errors.ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Channel, GroupedCalls } from './channel.ts';
import { transferred } from './error-transfer.ts';

interface Calculator {
  double(n: number): number;
}

let groups: number[][];
let calls: GroupedCalls;
let clients: Channel<Calculator>[];
beforeEach(() => {
  groups = [];
  calls = new GroupedCalls({
    maxCalls: 3,
    answer(group) {
      const numbers = group as number[];
      groups.push(numbers);
      return numbers.map((n) =>
        n < 0 ? { error: transferred(new ConstraintError(`${n}`)) } : { result: 2 * n },
      );
    },
  });
  clients = [1, 2].map(() => {
    const { port1, port2 } = new MessageChannel();
    calls.connect(port1);
    return new Channel<Calculator>({ port: port2, maxWaiting: 5, isUnrefIdle: true });
  });
});
afterEach(() => calls.close());

test('calls that wait in several ports are answered as one group, each to its caller', async () => {
  const [one, two] = clients;
  const results = await Promise.all([
    one!.call('double', 1),
    one!.call('double', 2),
    one!.call('double', 3),
    two!.call('double', 10),
    two!.call('double', 20),
  ]);
  expect(results).toEqual([2, 4, 6, 20, 40]);
  expect(groups).toEqual([
    [1, 2, 10],
    [3, 20],
  ]);
});

test('a failing call of a group fails alone', async () => {
  const [one, two] = clients;
  const failing = expect(one!.call('double', -1)).rejects.toThrow(ConstraintError);
  expect(await two!.call('double', 1)).toBe(2);
  await failing;
});

test('calls sent before the end are answered, later ones get an outage', async () => {
  const [one, two] = clients;
  const sent = [one!.call('double', 1), two!.call('double', 2)];
  calls.close();
  expect(await Promise.all(sent)).toEqual([2, 4]);
  await expect.poll(() => one!.call('double', 1).catch((error) => error)).toBeInstanceOf(OutageError);
});

test('heavy calls count more towards the limit of pending calls', async () => {
  const [one] = clients;
  const heavy = one!.call('double', 1, { weight: 4 });
  await expect(one!.call('double', 1, { weight: 2 })).rejects.toThrow('calls are waiting already');
  const light = one!.call('double', 2);
  expect(await Promise.all([heavy, light])).toEqual([2, 4]);
});
