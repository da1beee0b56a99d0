import { AppError } from '@larder/core/errors.ts';
import { MAX_OBJECT_BYTES, measured, type ObjectStore, type OpenObject } from '../../blobs/object-store.ts';
import { IMAGE_TOO_LONG, imageKey, type ScanFailure, type ScanId, type ScanKind } from '../scan-job.ts';
import { type AnalysisOutcome, noAnalysis } from './analysis.ts';
import type { ScanFoods } from './scan-foods.ts';

const GONE: ScanFailure = {
  code: 'image_unreadable',
  message: 'The image is not there any more.',
  retryable: true,
};
const EMPTY: ScanFailure = {
  code: 'image_unreadable',
  message: 'The upload was empty; send the bytes of an image.',
  retryable: false,
};
const WRONG_LENGTH: ScanFailure = {
  code: 'image_unreadable',
  message: 'The image is shorter or longer than it was stored; send it again.',
  retryable: false,
};

export interface ExaminationOptions extends Pick<ImageToAnalyse, 'foods' | 'timeoutMs' | 'kind'> {
  readonly objects: Pick<ObjectStore, 'delete' | 'read'>;
  readonly analyser: Pick<ImageAnalyser, 'analyse'>;
}

/**
 * Reads the image of a scan and has it analysed. Deletes an image over the size limit without reading it. Throws if the
 * object store or the analyser is unavailable.
 */
export async function examineImage(id: ScanId, parts: ExaminationOptions): Promise<AnalysisOutcome> {
  const { objects, analyser, foods, timeoutMs, kind } = parts;
  const object = await objects.read(imageKey(id));
  if (object === undefined) return noAnalysis(GONE);
  const { sizeBytes } = object;
  // Checks the size again, since a store such as S3 may accept uploads of any length.
  const isTooLong = sizeBytes > MAX_OBJECT_BYTES;
  if (sizeBytes === 0 || isTooLong) {
    object.body.destroy();
    if (isTooLong) await objects.delete(object.key);
    return noAnalysis(isTooLong ? IMAGE_TOO_LONG : EMPTY);
  }
  const bytes = await readBytes(object);
  return bytes === undefined ? noAnalysis(WRONG_LENGTH) : analyser.analyse({ bytes, foods, timeoutMs, kind });
}

/** Returns undefined if the length differs from the stated one. */
async function readBytes({ body, sizeBytes }: OpenObject): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  try {
    for await (const chunk of measured(body, { maxBytes: MAX_OBJECT_BYTES, exactBytes: sizeBytes })) {
      bytes.set(chunk, at);
      at += chunk.length;
    }
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
  return bytes;
}

export interface ImageToAnalyse {
  readonly bytes: Uint8Array;
  /** The foods that the scan's owner sees. */
  readonly foods: ScanFoods;
  readonly timeoutMs: number;
  /** `food` if absent. */
  readonly kind?: ScanKind | undefined;
}

/**
 * Analyses images without blocking the caller's thread, a bounded number at a time; further ones wait in order. An image
 * that exceeds its time ends with `analysis_timeout`, one that crashes its process with `internal_error`; neither affects
 * others.
 */
export interface ImageAnalyser {
  analyse(image: ImageToAnalyse): Promise<AnalysisOutcome>;
  close(): Promise<void>;
}
