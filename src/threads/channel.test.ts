import { MessageChannel } from 'node:worker_threads';
import { BusyError, OutageError } from '@larder/core/errors.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { Channel } from './channel.ts';

interface Calculator {
  double(n: number): number;
  fail(_: undefined): never;
  hang(_: undefined): Promise<void>;
  lose(_: undefined): never;
}

const calculator: Calculator = {
  double: (n) => 2 * n,
  fail: () => {
    throw Object.assign(new Error('no more numbers'), { code: 'ENUMBERS' });
  },
  hang: () => new Promise(() => {}),
  lose: () => {
    throw new OutageError('the database does not answer');
  },
};

let channel: Channel<Calculator>;
beforeEach(() => {
  const { port1, port2 } = new MessageChannel();
  new Channel({ port: port1, local: calculator });
  channel = new Channel<Calculator>({ port: port2 });
  return () => port1.close();
});

const LONG = { timeoutMs: 60_000 };

describe('every call ends', () => {
  it('with its own result, however many are pending', async () => {
    const numbers = [1, 2, 3, 4, 5];
    const results = await Promise.all(numbers.map((n) => channel.call('double', n, LONG)));
    expect(results).toEqual([2, 4, 6, 8, 10]);
  });

  it("with the other side's error, its message and code", async () => {
    await expect(channel.call('fail', undefined, LONG)).rejects.toMatchObject({
      message: 'no more numbers',
      code: 'ENUMBERS',
    });
  });

  it('with an outage that differs from other errors', async () => {
    await expect(channel.call('lose', undefined, LONG)).rejects.toThrow(OutageError);
  });

  it('with a time-out', async () => {
    await expect(channel.call('hang', undefined, { timeoutMs: 1 })).rejects.toThrow('no answer within 1 ms');
  });

  it('when the other side has ended', async () => {
    const call = channel.call('hang', undefined, LONG);
    channel.close(new Error('gone'));
    await expect(call).rejects.toThrow('gone');
    await expect(channel.call('double', 1)).rejects.toThrow('gone');
  });

  it('with an error if its argument cannot be sent', async () => {
    await expect(channel.call('double', (() => {}) as never)).rejects.toThrow('could not be cloned');
    expect(await channel.call('double', 1)).toBe(2);
  });

  it('with a rejection if too many are pending', async () => {
    const calls = Array.from({ length: 257 }, () => channel.call('hang', undefined, LONG));
    await expect(calls[256]).rejects.toThrow(new BusyError('hang: 256 calls are waiting already'));
    channel.close(new Error('over'));
    await Promise.allSettled(calls);
  });
});
