import { OperatorError } from '@larder/core/errors.ts';
import { afterEach, describe, expect, test } from 'vitest';
import type { Behaviour, ObedientCalls } from '../../test/support/obedient-child.ts';
import { Child } from './child.ts';

const OBEDIENT = new URL('../../test/support/obedient-child.ts', import.meta.url);
const MISSING = new URL('../../test/support/no-such-child.ts', import.meta.url);
const local = { double: (n: number) => 2 * n };

const KINDS = {
  thread: (entry: URL) => Child.thread<ObedientCalls, Behaviour>({ entry, name: 'obedient', local }),
  process: (entry: URL) =>
    Child.process<ObedientCalls, Behaviour>({ entry, local, maxHeapMb: 64, maxMemoryBytes: 2 ** 40 }),
};

describe.each(['thread', 'process'] as const)('a %s', (kind) => {
  let child: Child<ObedientCalls, Behaviour>;
  const open = (entry = OBEDIENT) => {
    child = KINDS[kind](entry);
    return child;
  };
  afterEach(() => child.kill(new Error('the test is over')));

  test('is ready after its start was answered, and then both sides call each other', async () => {
    await open().start('ready');
    expect(await child.channel.call('pid', undefined)).toBe(kind === 'thread' ? process.pid : child.pid);
    expect(await child.channel.call('quadruple', 3)).toBe(12);
    expect(await child.channel.call('size', new Uint8Array(1000))).toBe(1000);
  });

  test('that cannot start reports why, and ends', async () => {
    await expect(open().start('refuse')).rejects.toThrow(new OperatorError('refused as ordered'));
    expect((await child.ended).message).toBe('refused as ordered');
  });

  test('without its program fails to start', async () => {
    await expect(open(MISSING).start('ready')).rejects.toThrow();
    await child.ended;
  });

  test.each(['hang', 'spin'] as const)('that never becomes ready (%s) is killed', async (behaviour) => {
    await expect(open().start(behaviour, { timeoutMs: 1_000 })).rejects.toThrow('no answer within 1000 ms');
    await child.ended;
  });

  test('that is not needed any more is killed while it starts', async () => {
    const abort = new AbortController();
    const starting = expect(open().start('spin', { signal: abort.signal })).rejects.toThrow('not needed');
    abort.abort(new Error('not needed'));
    await starting;
    await expect(open().start('ready', { signal: abort.signal })).rejects.toThrow('not needed');
  });

  test.each([
    ['exit', 3],
    ['throwOutside', undefined],
  ] as const)('that crashes (%s) fails pending and later calls', async (name, argument) => {
    await open().start('ready');
    const waiting = expect(child.channel.call('hang', undefined)).rejects.toThrow();
    await expect(child.channel.call(name, argument as never)).rejects.toThrow();
    await waiting;
    const cause = await child.ended;
    expect(child.isStopping).toBe(false);
    await expect(child.channel.call('hang', undefined)).rejects.toBe(cause);
  });

  test('is stopped gracefully', async () => {
    await open().start('ready');
    await child.stop();
    expect((await child.ended).message).toBe('it was stopped');
    expect(child.isStopping).toBe(true);
  });

  test.each(['hang', 'spin'] as const)('that does not stop in time (%s) is killed', async (how) => {
    await open().start('ready');
    const waiting = expect(child.channel.call(how, undefined)).rejects.toThrow('it was stopped');
    await child.stop(1);
    await waiting;
  });

  test('is killed with the reason at any time', async () => {
    await open().start('ready');
    const waiting = expect(child.channel.call('spin', undefined)).rejects.toThrow('too long');
    await child.kill(new Error('too long'));
    await waiting;
  });
});

test('bytes are moved to a thread', async () => {
  const child = KINDS.thread(OBEDIENT);
  await child.start('ready');
  const bytes = new Uint8Array(1000);
  expect(await child.channel.call('size', bytes, { transfer: [bytes.buffer] })).toBe(1000);
  expect(bytes.byteLength).toBe(0);
  await child.stop();
});

test('a process reads as many bytes as each call says', async () => {
  const child = KINDS.process(OBEDIENT);
  await child.start('ready');
  for (const [sizeBytes, byte] of [
    [3_000_000, 1],
    [1, 2],
    [0, 0],
    [200_000, 3],
  ] as const) {
    const sum = child.channel.call('sum', sizeBytes);
    child.bytes!.write(new Uint8Array(sizeBytes).fill(byte));
    expect(await sum).toBe(sizeBytes * byte);
  }
  const waiting = expect(child.channel.call('sum', 1)).rejects.toThrow('it was stopped');
  await child.stop(0);
  await waiting;
  child.bytes!.write(new Uint8Array(1_000_000));
});
