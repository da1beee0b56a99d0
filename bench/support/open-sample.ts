import { isRefusal } from '../../src/scan/images/image-facts.ts';
import { inspectImage } from '../../src/scan/images/inspect-image.ts';
import { OpenPhoto } from '../../src/scan/images/open-photo.ts';
import type { Photo } from '../../src/scan/images/photo.ts';

/** Opens an image as the service does; throws if the service would reject it. */
export async function openSample(bytes: Buffer): Promise<Photo> {
  const facts = inspectImage(bytes);
  if (isRefusal(facts)) throw new Error(facts.message);
  return OpenPhoto.open(bytes, facts, () => performance.now());
}
