import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { formatDuration, ProgressReporter } from './progress.ts';

function open(isTerminal: boolean) {
  const stream = new PassThrough().setEncoding('utf8');
  let now = 0;
  const progress = new ProgressReporter({ stream, isTerminal, nowMs: () => now });
  return {
    progress,
    wait: (ms: number) => {
      now += ms;
    },
    said: () => (stream.read() as string | null) ?? '',
  };
}

test('without a terminal, a plain line is printed every few seconds and at the end of each phase', () => {
  const { progress, wait, said } = open(false);
  progress.begin('Reading a.jsonl', 1_000);
  for (let done = 100; done <= 600; done += 100) {
    wait(1_000);
    progress.update(done, done * 20);
  }
  expect(said()).toBe('Reading a.jsonl: 50 %, 10,000 foods, 2,000/s, 5 s left\n');
  progress.update(1_000, 20_000);
  progress.begin('Sorting', 10);
  expect(said()).toBe('Reading a.jsonl: 100 %, 20,000 foods, 3,333/s, 6 s\n');
  progress.end();
  progress.end();
  expect(said()).toBe('Sorting: 0 %\n');
});

test('an unknown or exceeded total is accepted', () => {
  const { progress, wait, said } = open(false);
  progress.begin('Fetching', 0);
  wait(6_000);
  progress.update(5_000, 0);
  expect(said()).toBe('Fetching: 100 %, 6 s\n');
});

test('durations are formatted in suitable units', () => {
  expect([8_000, 720_000, 3_900_000].map(formatDuration)).toEqual(['8 s', '12 min', '1 h 5 min']);
});
