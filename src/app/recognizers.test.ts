import { expect, test } from 'vitest';
import { startLocalServer } from '../../test/support/local-server.ts';
import { plainPhoto } from '../../test/support/plain-photo.ts';
import { readConfig } from '../config/config.ts';
import { RecognizerUnavailable } from '../scan/recognizer.ts';
import { openRecognizers } from './recognizers.ts';

test('an unresponsive vision model is abandoned in time for the next recognizer', async () => {
  let questions = 0;
  await using silent = await startLocalServer(() => questions++);
  const recognizers = await openRecognizers(
    readConfig({
      LARDER_VISION_URL: silent.base,
      LARDER_VISION_MODEL: 'eye-1',
      // A single request is longer than half of the time of a scan.
      LARDER_VISION_TIMEOUT_MS: '300',
      LARDER_SCAN_TIMEOUT_MS: '400',
      LARDER_DISH_MODEL: 'none',
    }),
  );
  try {
    const remote = recognizers.find(({ name }) => name === 'remote')!;
    const asking = remote.recognize(plainPhoto([1, 2, 3]), new AbortController().signal);
    await expect(asking).rejects.toThrow(RecognizerUnavailable);
    expect(questions).toBeLessThanOrEqual(1);
  } finally {
    for (const recognizer of recognizers) await recognizer.close();
  }
});
