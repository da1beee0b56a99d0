import { useSignal } from '@preact/signals';
import type { Food } from 'larder-client';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import '../styles/camera.css';
import { findByBarcode } from '../add/found.ts';
import { UnknownBarcode } from '../add/unknown-barcode.tsx';
import { Icon } from '../parts/icon.tsx';
import { pause } from '../parts/pause.ts';
import { problemOf } from '../parts/problem.ts';
import { texts } from '../texts/texts.ts';
import { openReader, readCode } from './barcode-reader.ts';
import { CameraStream } from './camera-stream.ts';
import { frameOf, photoOf } from './frames.ts';

/** Pause between two readings, so that the page stays quick. */
const PAUSE_MS = 100;

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
  const unknown = useSignal<string | undefined>(undefined);
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

  /** Looks up what two frames agree on. A code without a food is told once, and reading goes on. */
  async function readUntilFound(): Promise<void> {
    try {
      await openReader();
    } catch {
      problem.value = texts.peek().problems.offline;
      return;
    }
    let last: string | undefined;
    while (!ended.signal.aborted) {
      const frame = frameOf(video.current);
      const code = frame && (await readCode(frame));
      if (code !== undefined && code === last && code !== unknown.peek() && (await lookUp(code))) return;
      last = code ?? last;
      await pause(PAUSE_MS);
    }
  }

  async function lookUp(code: string): Promise<boolean> {
    try {
      const food = await findByBarcode(code, ended.signal);
      if (ended.signal.aborted) return true;
      problem.value = '';
      unknown.value = food === undefined ? code : undefined;
      if (food !== undefined) onFood(food);
      return food !== undefined;
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
        <div class="camera-aim" aria-hidden="true" />
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
      {unknown.value !== undefined && <UnknownBarcode barcode={unknown.value} />}
    </div>
  );
}
