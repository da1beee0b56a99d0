import { beforeEach, expect, test } from 'vitest';
import { newScan } from '../../../test/support/new-scan.ts';
import type { ScanId } from '../scan-job.ts';
import { LOOK_UP_EVERY_MS, MAX_CONCURRENT_LOOK_UPS, UploadDetector } from './upload-detection.ts';

type Answer = PromiseWithResolvers<boolean>;

let nowMs: number;
let asked: { readonly id: ScanId; readonly answer: Answer }[];
let failures: unknown[];
let uploadDetector: UploadDetector;
beforeEach(() => {
  nowMs = 1_000;
  asked = [];
  failures = [];
  uploadDetector = new UploadDetector({
    look: ({ id }) => {
      const answer = Promise.withResolvers<boolean>();
      asked.push({ id, answer });
      return answer.promise;
    },
    onFailure: (error) => failures.push(error),
    nowMs: () => nowMs,
    patienceMs: 5,
  });
});

const scan = newScan();

test('a caller learns whether the image is stored', async () => {
  const found = uploadDetector.lookFor(scan);
  asked[0]!.answer.resolve(true);
  expect(await found).toBe(true);
});

test('an image is looked for once a second, however many callers ask', async () => {
  const first = uploadDetector.lookFor(scan);
  expect(await uploadDetector.lookFor(scan)).toBe(false);
  asked[0]!.answer.resolve(false);
  await first;
  nowMs += LOOK_UP_EVERY_MS - 1;
  expect(await uploadDetector.lookFor(scan)).toBe(false);
  expect(asked).toHaveLength(1);
  nowMs += 1;
  void uploadDetector.lookFor(scan);
  expect(asked).toHaveLength(2);
});

test('an unresponsive store delays no caller, and is not queried again for the same image', async () => {
  const found = uploadDetector.lookFor(scan);
  expect(await found).toBe(false);
  nowMs += 10 * LOOK_UP_EVERY_MS;
  expect(await uploadDetector.lookFor(scan)).toBe(false);
  expect(asked).toHaveLength(1);
});

test('a failing store is reported, and queried again later', async () => {
  const error = new Error('away');
  const found = uploadDetector.lookFor(scan);
  asked[0]!.answer.reject(error);
  expect([await found, failures]).toEqual([false, [error]]);
  nowMs += LOOK_UP_EVERY_MS;
  const again = uploadDetector.lookFor(scan);
  asked[1]!.answer.resolve(true);
  expect(await again).toBe(true);
});

test('a limited number of images is looked up at a time, and eventually all are', async () => {
  const scans = Array.from({ length: 3 * MAX_CONCURRENT_LOOK_UPS }, () => newScan());
  const found = scans.map((each) => uploadDetector.lookFor(each));
  for (let at = 0; at < scans.length; at++) {
    expect(asked.length).toBe(Math.min(scans.length, MAX_CONCURRENT_LOOK_UPS + at));
    asked[at]!.answer.resolve(true);
    expect(await found[at]).toBe(true);
  }
  expect(asked.map(({ id }) => id)).toEqual(scans.map(({ id }) => id));
});
