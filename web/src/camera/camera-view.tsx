import '../styles/camera.css';
import { useSignal } from '@preact/signals';
import type { Food } from 'larder-client';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import { findByBarcode } from '../add/found.ts';
import { UnknownBarcode } from '../add/unknown-barcode.tsx';
import { Icon } from '../parts/icon.tsx';
import { pause } from '../parts/pause.ts';
import { problemOf } from '../parts/problem.ts';
import { texts } from '../texts/texts.ts';
import { negate, openReader, readCodes } from './barcode-reader.ts';
import { CameraStream } from './camera-stream.ts';

/** Pause after a picture without a code, so that the page stays quick. */
const PAUSE_MS = 100;
/** One of so many pictures without a code is read as its negative. */
const NEGATIVE_EVERY = 3;

/** What several codes in the picture are of. */
interface Found {
  readonly foods: readonly Food[];
  /** Codes that no food has. */
  readonly unknown: readonly string[];
}

interface CameraViewProps {
  readonly onFood: (food: Food) => void;
  readonly onPhoto: (photo: Blob) => void;
}

/** The camera: reads a barcode as soon as it sees one, and takes a photo of a plate. */
export function CameraView({ onFood, onPhoto }: CameraViewProps) {
  const all = texts.value;
  const video = useRef<HTMLVideoElement>(null);
  const camera = useSignal<CameraStream | undefined>(undefined);
  const problem = useSignal('');
  const found = useSignal<Found>({ foods: [], unknown: [] });
  const aim = useRef<HTMLDivElement>(null);
  const ended = useMemo(() => new AbortController(), []);
  useEffect(() => {
    const opened = new CameraStream(video.current!);
    camera.value = opened;
    void opened.open();
    void readUntilFound();
    return () => {
      ended.abort();
      opened.close();
    };
  }, []);

  /** Looks up what two pictures agree on. What leads to no food, or to several, is told once, and reading goes on. */
  async function readUntilFound(): Promise<void> {
    try {
      await openReader();
    } catch {
      problem.value = texts.peek().problems.offline;
      return;
    }
    let [last, told] = ['', ''];
    for (let turn = 1; !ended.signal.aborted; turn++) {
      const codes = await codesInView(turn % NEGATIVE_EVERY === 0);
      const key = codes.join('\n');
      if (key !== '' && key === last && key !== told) {
        told = key;
        if (await lookUp(codes)) return;
      }
      last = key || last;
      await (key === '' ? pause(PAUSE_MS) : nextPicture(video.current, PAUSE_MS));
    }
  }

  async function codesInView(asNegative: boolean): Promise<readonly string[]> {
    const frame = frameOf(video.current);
    if (frame === undefined) return [];
    if (asNegative) negate(frame);
    const codes = await readCodes(frame);
    const seen = aim.current === null ? codes : aimedAt(codes, frame, video.current!, aim.current);
    return seen.map(({ text }) => text).sort();
  }

  async function lookUp(codes: readonly string[]): Promise<boolean> {
    try {
      const foods = await Promise.all(codes.map((code) => findByBarcode(code, ended.signal)));
      if (ended.signal.aborted) return true;
      problem.value = '';
      const known = new Map(foods.flatMap((food) => (food === undefined ? [] : [[food.id, food]])));
      const unknown = codes.filter((_, at) => foods[at] === undefined);
      const isOne = known.size === 1 && unknown.length === 0;
      found.value = isOne ? { foods: [], unknown: [] } : { foods: [...known.values()], unknown };
      if (isOne) onFood([...known.values()][0]!);
      return isOne;
    } catch (error) {
      if (!ended.signal.aborted) problem.value = problemOf(error);
      return false;
    }
  }

  const { problem: missing, hasTorch, isLit } = camera.value ?? {};
  return (
    <div class="camera">
      <div class="camera-frame" hidden={missing?.value !== undefined}>
        <video ref={video} aria-label={all.cameraPicture} autoplay muted playsinline />
        <div ref={aim} class="camera-aim" aria-hidden="true" />
        <p class="camera-hint" role="status">
          {all.cameraHint}
        </p>
        <div class="camera-buttons">
          {hasTorch?.value === true && (
            <button
              type="button"
              class="round"
              aria-label={all.torch}
              aria-pressed={isLit?.value}
              onClick={() => void camera.peek()?.light(isLit?.peek() !== true)}
            >
              <Icon name="torch" />
            </button>
          )}
          <button
            type="button"
            class="shutter"
            aria-label={all.takePhoto}
            onClick={() => void photoOf(video.current).then((photo) => photo && onPhoto(photo))}
          />
        </div>
      </div>
      {missing?.value !== undefined && (
        <div class="photo-part">
          <p class="problem" role="alert">
            {all.cameraProblems[missing.value]}
          </p>
          <label class="way">
            <Icon name="camera" />
            {all.takePhotoInstead}
            <input
              class="hidden-input"
              type="file"
              accept="image/*"
              capture="environment"
              onChange={({ currentTarget: { files } }) => files?.[0] && onPhoto(files[0])}
            />
          </label>
        </div>
      )}
      {problem.value !== '' && (
        <p class="problem photo-part" role="alert">
          {problem.value}
        </p>
      )}
      {found.value.foods.length > 0 && (
        <div class="photo-part">
          <p role="alert">{all.severalBarcodes}</p>
          {found.value.foods.map((food) => (
            <button key={food.id} type="button" class="way" onClick={() => onFood(food)}>
              {food.brand === undefined ? food.name : `${food.name}, ${food.brand}`}
            </button>
          ))}
        </div>
      )}
      {found.value.unknown.map((barcode) => (
        <UnknownBarcode key={barcode} barcode={barcode} />
      ))}
    </div>
  );
}

/** The longer side of what is read for barcodes: enough for the bars of a package that fills half of the picture. */
const READ_PX = 1_024;
const PHOTO_TYPE = 'image/jpeg';
const PHOTO_QUALITY = 0.9;

/** The present picture, made smaller for reading; undefined before the first one. */
function frameOf(video: HTMLVideoElement | null): ImageData | undefined {
  const canvas = draw(video, READ_PX, true);
  return canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height);
}

/** Those codes of a picture that are in the frame on the screen, or all if none is. `video` fills its element by cutting off its sides. */
function aimedAt<Code extends { readonly x: number; readonly y: number }>(
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
function nextPicture(video: HTMLVideoElement | null, mostMs: number): Promise<unknown> {
  const told = new Promise((resolve) => video?.requestVideoFrameCallback?.(resolve));
  return Promise.race([told, pause(mostMs)]);
}

/** Takes the present picture as a photo, or the first one where the camera is still starting. */
async function photoOf(video: HTMLVideoElement | null): Promise<Blob | undefined> {
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
