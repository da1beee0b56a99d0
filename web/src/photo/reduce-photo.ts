/** Longer sides to try, the largest first. */
const MAX_SIDES = [4_096, 3_072, 2_048] as const;
const TYPE = 'image/jpeg';
const QUALITY = 0.9;

/** The photo as an upright JPEG of at most so many bytes; undefined if it is no image that this browser reads. */
export async function reduced(file: Blob, maxBytes: number): Promise<Blob | undefined> {
  const image = await createImageBitmap(file, { imageOrientation: 'from-image' }).catch(() => undefined);
  if (image === undefined) return undefined;
  try {
    for (const side of MAX_SIDES) {
      const jpeg = await jpegOf(image, side);
      if (jpeg !== null && jpeg.size <= maxBytes) return jpeg;
    }
  } finally {
    image.close();
  }
  return undefined;
}

function jpegOf(image: ImageBitmap, maxSide: number): Promise<Blob | null> {
  const scale = Math.min(1, maxSide / Math.max(image.width, image.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext('2d');
  if (context === null) return Promise.resolve(null);
  // A JPEG has no transparency, which would become black.
  context.fillStyle = 'white';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, TYPE, QUALITY));
}
