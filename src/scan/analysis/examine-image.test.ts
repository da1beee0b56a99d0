import { Readable } from 'node:stream';
import { OutageError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { newScanId } from '../../../test/support/new-scan.ts';
import { DONE } from '../../../test/support/open-workers.ts';
import { MAX_OBJECT_BYTES } from '../../blobs/object-store.ts';
import type { AnalysisOutcome } from './analysis.ts';
import { examineImage } from './examine-image.ts';

const never = () => {
  throw new Error('nothing is looked up here');
};

/** Examines an image whose size is `sizeBytes` according to its store. */
function examine(sizeBytes: number, body: Readable, deleted: string[] = []): Promise<AnalysisOutcome> {
  return examineImage(newScanId(), {
    objects: {
      read: async (key) => ({ key, sizeBytes, contentType: 'image/jpeg', storedAtMs: 0, body }),
      delete: async (key) => void deleted.push(key),
    },
    analyser: { analyse: async () => DONE },
    foods: { findByBarcode: never, findById: never, search: never, readNames: never },
    timeoutMs: 1_000,
  });
}

const bodyOf = (text: string) => Readable.from(text === '' ? [] : [Buffer.from(text)]);

test('an image of the stored length is analysed', async () => {
  expect(await examine(5, bodyOf('image'))).toBe(DONE);
});

test.each([
  ['an empty upload', 0, '', 'image_unreadable', 'The upload was empty'],
  ['one that is too large', MAX_OBJECT_BYTES + 1, 'any', 'image_too_large', 'larger than'],
  ['one that is cut off', 9, 'image', 'image_unreadable', 'shorter or longer'],
  ['one that has grown', 3, 'image', 'image_unreadable', 'shorter or longer'],
])('%s fails permanently', async (_, sizeBytes, text, code, message) => {
  const body = bodyOf(text);
  const deleted: string[] = [];
  expect(await examine(sizeBytes, body, deleted)).toMatchObject({
    failure: { code, message: expect.stringContaining(message), retryable: false },
  });
  expect(body.destroyed).toBe(true);
  expect(deleted).toHaveLength(code === 'image_too_large' ? 1 : 0);
});

test('an object store that fails while an image is read does not fail the image', async () => {
  const body = new Readable({ read: () => body.destroy(new OutageError('away')) });
  await expect(examine(5, body)).rejects.toThrow(OutageError);
});
