import type { IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import type { DiskReserve } from '../files/disk-reserve.ts';
import { type HttpLimits, httpGet, type Reach } from './http-get.ts';
import type { PartialFile } from './partial-file.ts';
import { planFor, rangeHeaders } from './response-plan.ts';

/** Bounds of a download. Tests hand in smaller ones. */
export interface DownloadLimits extends HttpLimits {
  /** All attempts of one download together. */
  readonly maxAttempts: number;
  /** Attempts in a row that brought not one new byte. */
  readonly maxFruitlessAttempts: number;
  /** The wait after the first fruitless attempt; doubled with each further one. */
  readonly firstRetryDelayMs: number;
  /** The longest wait, also where a server's `Retry-After` asks for more. */
  readonly maxRetryDelayMs: number;
}

export const DOWNLOAD_LIMITS: DownloadLimits = {
  answerTimeoutMs: 30_000,
  idleTimeoutMs: 60_000,
  maxRedirects: 5,
  maxAttempts: 200,
  maxFruitlessAttempts: 6,
  firstRetryDelayMs: 1_000,
  maxRetryDelayMs: 60_000,
};

/** Import and compile write a segment and a catalogue, each well under 1 GB for all foods there are. */
const MAX_COMPILE_BYTES = 2 * 1024 ** 3;
/** What they need of a small export: text that was compressed, in two copies. */
const COMPILE_BYTES_PER_DOWNLOADED = 4;

/** What the rest of a file of `totalBytes`, of which `presentBytes` are here, and what is made of it will take. */
function neededBytes(totalBytes: number, presentBytes: number): number {
  return totalBytes - presentBytes + Math.min(MAX_COMPILE_BYTES, totalBytes * COMPILE_BYTES_PER_DOWNLOADED);
}

const SIGNATURES = {
  gzip: [[0x1f, 0x8b]],
  zip: [
    [0x50, 0x4b, 0x03, 0x04],
    [0x50, 0x4b, 0x05, 0x06],
  ],
  parquet: [[0x50, 0x41, 0x52, 0x31]],
} as const;

type FileKind = keyof typeof SIGNATURES;

const SIGNATURE_BYTES = 4;

/** The expected file type by name; undefined for other names. */
function kindByName(name: string): FileKind | undefined {
  if (name.endsWith('.gz')) return 'gzip';
  if (name.endsWith('.zip')) return 'zip';
  if (name.endsWith('.parquet')) return 'parquet';
  return undefined;
}

/** Whether a file with these first bytes can be of the type. */
function beginsLike(kind: FileKind, head: Uint8Array): boolean {
  return SIGNATURES[kind].some((signature) => signature.every((byte, at) => head[at] === byte));
}

/** Bytes between two checks of free disk space. */
const LOOK_EVERY_BYTES = 16 * 1024 * 1024;

export interface DownloadProgress {
  readonly receivedBytes: number;
  /** Undefined if the server does not say. */
  readonly totalBytes: number | undefined;
}

/** The result of an attempt that did not throw. */
export type Attempt =
  | { readonly done: true }
  | { readonly done: false; readonly reason: string; readonly afterMs?: number };

export interface DownloadAttemptPorts {
  readonly url: URL;
  readonly reach: Reach;
  readonly target: string;
  readonly part: PartialFile;
  readonly onProgress: (progress: DownloadProgress) => void;
  readonly limits: DownloadLimits;
  readonly disk: DiskReserve;
  readonly signal: AbortSignal | undefined;
}

/** One request for the missing part of a partial file. Throws if another attempt would not help. */
export class DownloadAttempt {
  readonly #url: URL;
  readonly #reach: Reach;
  readonly #part: PartialFile;
  readonly #kind: FileKind | undefined;
  readonly #onProgress: (progress: DownloadProgress) => void;
  readonly #limits: DownloadLimits;
  readonly #disk: DiskReserve;
  readonly #signal: AbortSignal | undefined;

  constructor(ports: DownloadAttemptPorts) {
    this.#url = ports.url;
    this.#reach = ports.reach;
    this.#part = ports.part;
    this.#kind = kindByName(basename(ports.target));
    this.#onProgress = ports.onProgress;
    this.#limits = ports.limits;
    this.#disk = ports.disk;
    this.#signal = ports.signal;
  }

  async run(): Promise<Attempt> {
    const response = await this.#ask();
    if (response instanceof Error) return { done: false, reason: response.message };
    try {
      return await this.#take(response);
    } finally {
      response.destroy();
    }
  }

  async #ask(): Promise<IncomingMessage | Error> {
    try {
      return await httpGet({
        url: this.#url,
        reach: this.#reach,
        headers: rangeHeaders(this.#part),
        limits: this.#limits,
        signal: this.#signal,
      });
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      return describe(error);
    }
  }

  async #take(response: IncomingMessage): Promise<Attempt> {
    const part = this.#part;
    const plan = planFor(part, { status: response.statusCode ?? 0, headers: response.headers });
    switch (plan.kind) {
      case 'complete':
        return { done: true };
      case 'retry':
        return { done: false, ...plan };
      case 'refuse':
        throw new OperatorError(`Could not download ${this.#url}: ${plan.reason}. Is the address right?`);
      case 'discard':
        await part.restart({ url: this.#url.href });
        return { done: false, reason: plan.reason };
      case 'start': {
        const { kind, ...version } = plan;
        await part.restart({ url: this.#url.href, ...version });
        return this.#receive(response, plan.totalBytes);
      }
      case 'append':
        return this.#receive(response, plan.totalBytes);
    }
  }

  async #receive(response: IncomingMessage, totalBytes: number | undefined): Promise<Attempt> {
    const part = this.#part;
    if (totalBytes !== undefined) {
      const needed = neededBytes(totalBytes, part.sizeBytes);
      await this.#disk.requireRoom('the download, with the catalogue made of it,', needed);
    }
    const broken = await this.#receiveBody(response, totalBytes);
    if (totalBytes !== undefined && part.sizeBytes > totalBytes) {
      await part.restart({ url: this.#url.href });
      return { done: false, reason: 'it sent more bytes than it announced' };
    }
    if (broken !== undefined) return { done: false, reason: broken.message };
    if (totalBytes !== undefined && part.sizeBytes < totalBytes) {
      return { done: false, reason: `it sent ${part.sizeBytes} of ${totalBytes} bytes` };
    }
    await this.#requireKind(await part.head(SIGNATURE_BYTES));
    return { done: true };
  }

  /** Resolves with the reason if the body broke off, otherwise undefined. Throws if the disk fails. */
  async #receiveBody(response: IncomingMessage, totalBytes: number | undefined): Promise<Error | undefined> {
    const part = this.#part;
    const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let lookAtBytes = part.sizeBytes;
    for (;;) {
      const next = await chunks.next().catch(describe);
      if (next instanceof Error) return next;
      if (next.done) return undefined;
      if (part.sizeBytes === 0 && next.value.length >= SIGNATURE_BYTES) await this.#requireKind(next.value);
      if (part.sizeBytes >= lookAtBytes) {
        await this.#disk.requireRoom('the download', next.value.length);
        lookAtBytes = part.sizeBytes + LOOK_EVERY_BYTES;
      }
      await part.append(next.value);
      this.#onProgress({ receivedBytes: part.sizeBytes, totalBytes });
      if (totalBytes !== undefined && part.sizeBytes > totalBytes) return undefined;
    }
  }

  async #requireKind(head: Uint8Array): Promise<void> {
    if (this.#kind === undefined || beginsLike(this.#kind, head)) return;
    await this.#part.restart({ url: this.#url.href });
    throw new OperatorError(
      `${this.#url} does not hold a ${this.#kind} file, although its name says so. Is the address right?`,
    );
  }
}

function describe(error: unknown): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  // Node reports connections that ended early as "aborted" or "socket hang up".
  if (code === 'ECONNRESET') return new Error('the connection broke off');
  return new Error(message || code || String(error));
}
