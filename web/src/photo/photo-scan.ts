import { signal } from '@preact/signals';
import { Larder, type Scan, type ScanFailure, type ScanResult } from 'larder-client';
import { BASE, larder } from '../larder.ts';
import { keep, keptAs } from '../parts/kept.ts';
import { problemOf } from '../parts/problem.ts';

/** State of the scan of a photo, which goes on while its view is closed. */
export type PhotoScan =
  | { readonly phase: 'uploading'; readonly share: number }
  | { readonly phase: 'recognizing' }
  | { readonly phase: 'done'; readonly jobId: string; readonly result: ScanResult }
  | { readonly phase: 'failed'; readonly failure: ScanFailure }
  /** The file can never be sent. */
  | { readonly phase: 'unfit'; readonly reason: 'file_empty' | 'image_too_large' }
  /** The photo could not be sent, or the service not be asked. */
  | { readonly phase: 'broken'; readonly problem: string };

export const photoScan = signal<PhotoScan | undefined>(undefined);
/** What the photo is said to show. */
export type PhotoKind = 'food' | 'receipt';
export const photoKind = signal<PhotoKind>('food');
/** Address of the photo in memory, for the screen. */
export const photoUrl = signal<string | undefined>(undefined);

/** A scan that was begun is found again by its id after the page was closed. */
const DRAFT = 'photo';
/** Names this page among the apps that scan. */
const CLIENT_ID = 'larder-page';
/** The service takes no larger file. */
const MAX_BYTES = 10 * 1024 * 1024;

let photo: { readonly file: Blob; readonly from: 'photo' | 'upload' } | undefined;
let running: AbortController | undefined;

/** Sends a photo and follows its scan. */
export function startScan(file: Blob, from: 'photo' | 'upload', kind: PhotoKind = 'food'): void {
  forgetScan();
  if (file.size === 0) {
    photoScan.value = { phase: 'unfit', reason: 'file_empty' };
    return;
  }
  photo = { file, from };
  photoKind.value = kind;
  photoUrl.value = URL.createObjectURL(file);
  void run(async (signal) => {
    photoScan.value = { phase: 'uploading', share: 0 };
    const sent = await fitting(file);
    signal.throwIfAborted();
    if (sent === undefined) {
      photoScan.value = { phase: 'unfit', reason: 'image_too_large' };
      return undefined;
    }
    const uploading = new Larder({
      url: BASE,
      fetch: fetchWithProgress((share) => {
        if (!signal.aborted) photoScan.value = { phase: 'uploading', share };
      }),
    });
    const { jobId } = await uploading.scans.create(sent, {
      clientId: CLIENT_ID,
      imageType: from,
      kind,
      contentType: typeOf(sent),
      signal,
    });
    keep(DRAFT, { jobId });
    return larder.scans.open(jobId);
  });
}

/** Sends the same photo again, as one of this kind. */
export function repeatScan(kind = photoKind.peek()): void {
  if (photo !== undefined) startScan(photo.file, photo.from, kind);
  else resumeScan();
}

/** Follows a scan that was begun before the page was opened. */
export function resumeScan(): void {
  const draft = keptAs<{ readonly jobId: string }>(DRAFT);
  if (draft !== undefined) void run(async () => larder.scans.open(draft.jobId));
}

/** Ends the work on a photo: its foods were added, or are not wanted. */
export function forgetScan(): void {
  running?.abort();
  if (photoUrl.peek() !== undefined) URL.revokeObjectURL(photoUrl.peek()!);
  photo = undefined;
  photoUrl.value = undefined;
  photoScan.value = undefined;
  keep(DRAFT, undefined);
}

/** The photo, made smaller where the service would refuse it; undefined if that cannot be done. */
async function fitting(file: Blob): Promise<Blob | undefined> {
  if (file.size <= MAX_BYTES) return file;
  const { reduced } = await import('./reduce-photo.ts');
  return reduced(file, MAX_BYTES);
}

/** Opens a scan, if there is one, and follows it. */
async function run(open: (signal: AbortSignal) => Promise<Scan | undefined>): Promise<void> {
  running?.abort();
  running = new AbortController();
  const { signal } = running;
  try {
    const scan = await open(signal);
    if (scan === undefined) return;
    for await (const { result, error } of scan.states({ signal })) {
      if (result !== undefined) photoScan.value = { phase: 'done', jobId: scan.jobId, result };
      else if (error !== undefined) photoScan.value = { phase: 'failed', failure: error };
      else photoScan.value = { phase: 'recognizing' };
    }
  } catch (error) {
    if (!signal.aborted) photoScan.value = { phase: 'broken', problem: problemOf(error) };
  }
}

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/heic', 'image/heif'] as const;

/** Browsers that do not know HEIC give it no type. */
function typeOf({ type }: Blob): (typeof TYPES)[number] {
  return TYPES.find((each) => each === type) ?? 'image/heic';
}

/** A `fetch` that reports upload progress, which the browser's own does not. Other requests use the browser's. */
function fetchWithProgress(onProgress: (share: number) => void): typeof fetch {
  return (input, init) => {
    if (init?.method !== 'PUT' || !(init.body instanceof Blob)) return fetch(input, init);
    const { promise, resolve, reject } = Promise.withResolvers<Response>();
    const request = new XMLHttpRequest();
    request.open('PUT', String(input));
    new Headers(init.headers).forEach((value, name) => {
      request.setRequestHeader(name, value);
    });
    request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => {
      const { status, responseText } = request;
      const headers = { 'content-type': request.getResponseHeader('content-type') ?? '' };
      resolve(new Response(status === 204 ? null : responseText, { status, headers }));
    };
    request.onerror = () => reject(new TypeError('The connection broke while a file was sent.'));
    request.onabort = () => reject(init.signal?.reason);
    init.signal?.addEventListener('abort', () => request.abort());
    request.send(init.body);
    return promise;
  };
}
