import { pause } from '../parts/pause.ts';

/** The longer side of what is read for barcodes: enough for the bars of a package that fills half of the picture. */
const READ_PX = 1_024;
const PHOTO_TYPE = 'image/jpeg';
const PHOTO_QUALITY = 0.9;

/** The present picture, made smaller for reading; undefined before the first one. */
export function frameOf(video: HTMLVideoElement | null): ImageData | undefined {
  const canvas = draw(video, READ_PX, true);
  return canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
}

/** Those codes of a picture that are in the frame on the screen, or all if none is. `video` fills its element by cutting off its sides. */
export function aimedAt<Code extends { readonly x: number; readonly y: number }>(
  codes: readonly Code[],
  picture: ImageData,
  video: HTMLVideoElement,
  aim: HTMLElement,
): readonly Code[] {
  const shown = video.getBoundingClientRect();
  const { left, right, top, bottom } = aim.getBoundingClientRect();
  const scale = Math.max(shown.width / picture.width, shown.height / picture.height);
  const aimed = codes.filter((code) => {
    const x = shown.left + shown.width / 2 + (code.x - picture.width / 2) * scale;
    const y = shown.top + shown.height / 2 + (code.y - picture.height / 2) * scale;
    return x >= left && x <= right && y >= top && y <= bottom;
  });
  return aimed.length === 0 ? codes : aimed;
}

/** Ends with the next picture, or after `mostMs` where the browser does not tell of it. */
export function nextPicture(video: HTMLVideoElement | null, mostMs: number): Promise<unknown> {
  const told = new Promise((resolve) => video?.requestVideoFrameCallback?.(resolve));
  return Promise.race([told, pause(mostMs)]);
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
