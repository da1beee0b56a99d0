import { isRefusal } from '../../src/scan/image-headers/image-facts.ts';
import { inspectImage } from '../../src/scan/image-intake.ts';
import { openPhoto } from '../../src/scan/open-photo.ts';
import type { Photo } from '../../src/scan/photo.ts';

/** Opens an image as the service does; throws where the service would refuse it. */
export async function openSample(bytes: Buffer): Promise<Photo> {
  const facts = inspectImage(bytes);
  if (isRefusal(facts)) throw new Error(facts.message);
  return openPhoto(bytes, facts, () => performance.now());
}
