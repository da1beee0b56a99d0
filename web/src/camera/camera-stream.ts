import { signal } from '@preact/signals';

/** Why there is no picture: `insecure` without HTTPS, `denied` by the person, `absent` where there is no camera. */
export type CameraProblem = 'insecure' | 'denied' | 'absent';

const WANTED: MediaStreamConstraints = {
  audio: false,
  video: {
    facingMode: { ideal: 'environment' },
    width: { ideal: 1920 },
    height: { ideal: 1080 },
  },
};
/** A track that stands still for so long is begun again. */
const STALL_MS = 3_000;

/** Constraints and capabilities that TypeScript's table of the DOM lacks. */
interface Torch {
  readonly torch?: boolean;
}

/** The camera of the device, shown in a video element. */
export class CameraStream {
  readonly problem = signal<CameraProblem | undefined>(undefined);
  readonly hasTorch = signal(false);
  readonly isLit = signal(false);
  readonly #video: HTMLVideoElement;
  #stream: MediaStream | undefined;
  #isClosed = false;
  #watch: ReturnType<typeof setInterval> | undefined;

  constructor(video: HTMLVideoElement) {
    this.#video = video;
  }

  async open(): Promise<void> {
    if (navigator.mediaDevices?.getUserMedia === undefined) {
      this.problem.value = 'insecure';
      return;
    }
    document.addEventListener('visibilitychange', this.#onVisible);
    await this.#begin();
    this.#watchPicture();
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#watch);
    document.removeEventListener('visibilitychange', this.#onVisible);
    this.#stop();
  }

  async light(isOn: boolean): Promise<void> {
    const [track] = this.#stream?.getVideoTracks() ?? [];
    await track?.applyConstraints({ advanced: [{ torch: isOn } as MediaTrackConstraintSet] }).catch(() => {});
    this.isLit.value = isOn;
  }

  async #begin(): Promise<void> {
    this.#stop();
    try {
      const stream = await navigator.mediaDevices.getUserMedia(WANTED);
      if (this.#isClosed) {
        for (const track of stream.getTracks()) track.stop();
        return;
      }
      this.#stream = stream;
      this.problem.value = undefined;
      const [track] = stream.getVideoTracks();
      track?.addEventListener('ended', this.#onVisible);
      this.hasTorch.value = (track?.getCapabilities?.() as Torch | undefined)?.torch === true;
      this.isLit.value = false;
      this.#video.srcObject = stream;
      await this.#video.play();
    } catch (error) {
      const { name } = error as Error;
      // The element was taken away, or given another stream, before it played.
      if (name === 'AbortError' || this.#isClosed) return;
      this.problem.value = name === 'NotAllowedError' || name === 'SecurityError' ? 'denied' : 'absent';
    }
  }

  #stop(): void {
    for (const track of this.#stream?.getTracks() ?? []) {
      track.removeEventListener('ended', this.#onVisible);
      track.stop();
    }
    this.#stream = undefined;
    this.#video.srcObject = null;
  }

  /** Installed pages on iOS get a black picture when they come back: only a fresh stream helps. A hidden page lets go of the camera. */
  #onVisible = (): void => {
    if (this.#isClosed) return;
    if (document.visibilityState === 'visible') void this.#begin();
    else this.#stop();
  };

  #watchPicture(): void {
    let last = -1;
    this.#watch = setInterval(() => {
      const { currentTime } = this.#video;
      const hasStopped = this.#stream !== undefined && currentTime === last;
      last = currentTime;
      if (hasStopped && document.visibilityState === 'visible') void this.#begin();
    }, STALL_MS);
  }
}
