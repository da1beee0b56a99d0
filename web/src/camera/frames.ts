/** The longer side of what is read for barcodes: enough for the bars of a package that fills half of the picture. */
const READ_PX = 1_024;
const PHOTO_TYPE = 'image/jpeg';
const PHOTO_QUALITY = 0.9;

/** The present picture, made smaller for reading; undefined before the first one. */
export function frameOf(video: HTMLVideoElement | null): ImageData | undefined {
  const canvas = draw(video, READ_PX, true);
  return canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
}

/** Takes the present picture as a photo, or the first one where the camera is still starting. */
export async function photoOf(video: HTMLVideoElement | null): Promise<Blob | undefined> {
  if (video !== null && !hasPicture(video))
    await new Promise((resolve) => video.addEventListener('loadeddata', resolve, { once: true }));
  const canvas = draw(video, Number.POSITIVE_INFINITY, false);
  if (canvas === undefined) return undefined;
  const photo = await new Promise<Blob | null>((resolve) =>
    canvas.toBlob(resolve, PHOTO_TYPE, PHOTO_QUALITY),
  );
  return photo ?? undefined;
}

function draw(
  video: HTMLVideoElement | null,
  maxPx: number,
  willReadFrequently: boolean,
): HTMLCanvasElement | undefined {
  if (video === null || !hasPicture(video)) return undefined;
  const scale = Math.min(1, maxPx / Math.max(video.videoWidth, video.videoHeight));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext('2d', { willReadFrequently })?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function hasPicture({ videoWidth, readyState, HAVE_CURRENT_DATA }: HTMLVideoElement): boolean {
  return videoWidth > 0 && readyState >= HAVE_CURRENT_DATA;
}
