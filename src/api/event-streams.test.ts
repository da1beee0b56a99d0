import { once } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { AppError, OutageError } from '@larder/core/errors.ts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MemoryLog } from '../../test/support/memory-log.ts';
import { EventStreams, HEARTBEAT_MS } from './event-streams.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A stream in which nothing happens. */
const request = {
  about: { requestId: 'r-1', scan: 's-1' },
  recheck: async () => {},
  async *follow(signal: AbortSignal) {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
  },
};

test('a heartbeat comes every 15 seconds, and never earlier', async () => {
  const streams = new EventStreams({ log: new MemoryLog().logger });
  const answer = new PassThrough();
  streams.open(request, answer);
  const read = () => String(answer.read() ?? '');
  expect(read()).toMatch(/^retry: \d+\n\n$/);
  for (let beats = 0; beats < 4; beats++) {
    await vi.advanceTimersByTimeAsync(HEARTBEAT_MS - 1);
    expect(read()).toBe('');
    await vi.advanceTimersByTimeAsync(1);
    expect(read()).toBe(': heartbeat\n\n');
  }
  answer.destroy();
  streams.close();
});

test('a reader that stops reading is disconnected and logged', async () => {
  const log = new MemoryLog('warn');
  const streams = new EventStreams({ log: log.logger });
  const answer = new Writable({ write: () => {} });
  streams.open(request, answer);
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS * 3);
  expect(answer.destroyed).toBe(true);
  expect(log.lines.map((line) => JSON.parse(line))).toMatchObject([
    { ...request.about, msg: 'a stream was closed, because its reader stopped reading' },
  ]);
  streams.close();
});

test('a stream without messages ends at the heartbeat after its credential has ended, but not in an outage', async () => {
  const streams = new EventStreams({ log: new MemoryLog().logger });
  let failure: Error | undefined = new OutageError('The database does not answer');
  const recheck = async () => {
    if (failure !== undefined) throw failure;
  };
  const answer = new PassThrough().resume();
  streams.open({ ...request, recheck }, answer);
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
  expect(answer.writableEnded).toBe(false);
  failure = new AppError({ code: 'invalid_api_key', message: 'The key is revoked.' });
  await vi.advanceTimersByTimeAsync(HEARTBEAT_MS);
  expect(answer.writableEnded).toBe(true);
  streams.close();
});

test('a reader that left before its stream began occupies no place', async () => {
  const streams = new EventStreams({ log: new MemoryLog().logger });
  const answer = new PassThrough();
  answer.destroy();
  streams.open(request, answer);
  expect(streams.size).toBe(0);
  streams.close();
});

test('closing ends every stream, and a reader that goes away frees its place', async () => {
  vi.useRealTimers();
  const streams = new EventStreams({ log: new MemoryLog().logger });
  const answers = Array.from({ length: 3 }, () => new PassThrough().resume());
  for (const answer of answers) streams.open(request, answer);
  expect(streams.size).toBe(3);
  answers[0]!.destroy();
  await once(answers[0]!, 'close');
  expect(streams.size).toBe(2);
  const ended = answers.slice(1).map((answer) => once(answer, 'close'));
  streams.close();
  await Promise.all(ended);
  expect(streams.size).toBe(0);
});

test('no timer runs while no stream is open', async () => {
  const streams = new EventStreams({ log: new MemoryLog().logger });
  const answers = [new PassThrough(), new PassThrough()];
  expect(vi.getTimerCount()).toBe(0);
  for (const answer of answers) streams.open(request, answer);
  expect(vi.getTimerCount()).toBe(1);
  for (const answer of answers) await once(answer.destroy(), 'close');
  expect(vi.getTimerCount()).toBe(0);
  streams.close();
});
