import { measured } from '../objects/measured.ts';
import { MAX_OBJECT_BYTES, type ObjectStore, type OpenObject } from '../objects/object-store.ts';
import { type AnalysisOutcome, noAnalysis } from './analysis.ts';
import type { ImageAnalyser, ImageToAnalyse } from './image-analyser.ts';
import { imageKey, type ScanId } from './scan-job.ts';

export interface ExaminationParts extends Pick<ImageToAnalyse, 'foods' | 'timeoutMs'> {
  readonly objects: Pick<ObjectStore, 'read'>;
  readonly analyser: Pick<ImageAnalyser, 'analyse'>;
}

/** Takes the image of a scan from its store and has it looked at. Throws where store or analyser cannot be asked. */
export async function examineImage(id: ScanId, parts: ExaminationParts): Promise<AnalysisOutcome> {
  const { objects, analyser, foods, timeoutMs } = parts;
  const object = await objects.read(imageKey(id));
  if (object === undefined) {
    return noAnalysis({
      code: 'image_unreadable',
      message: 'The image is not there any more.',
      retryable: true,
    });
  }
  if (object.sizeBytes > MAX_OBJECT_BYTES) {
    object.body.destroy();
    const message = `The image is larger than ${MAX_OBJECT_BYTES} bytes.`;
    return noAnalysis({ code: 'image_too_large', message, retryable: false });
  }
  return analyser.analyse({ bytes: await readBytes(object), foods, timeoutMs });
}

/** In memory of its own, so that it can be handed over to another thread. */
async function readBytes({ body, sizeBytes }: OpenObject): Promise<Uint8Array> {
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for await (const chunk of measured(body, { maxBytes: MAX_OBJECT_BYTES, exactBytes: sizeBytes })) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}
