import type { IncomingMessage } from 'node:http';
import { basename } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import type { DiskReserve } from '../files/disk-reserve.ts';
import { type AllowedServers, type HttpLimits, httpGet } from './http-get.ts';
import type { PartialFile } from './partial-file.ts';
import { planFor, rangeHeaders } from './response-plan.ts';

/** Limits of a download. Tests pass smaller ones. */
export interface DownloadLimits extends HttpLimits {
  /** Time limit of all attempts together. */
  readonly maxAttempts: number;
  /** Maximum consecutive attempts without a new byte. */
  readonly maxFruitlessAttempts: number;
  /** Pause after the first fruitless attempt; doubled for each further one. */
  readonly firstRetryDelayMs: number;
  /** Maximum pause, also if a server's `Retry-After` asks for more. */
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

/**
 * Space for an import and its compilation, which write a segment and a catalogue, each well under 1 GB for
 * all existing foods.
 */
const MAX_COMPILE_BYTES = 2 * 1024 ** 3;
/** Space for compiling a small export, relative to its size: decompressed text, in two copies. */
const COMPILE_BYTES_PER_DOWNLOADED = 4;

/** Bytes needed for the rest of a file of `totalBytes`, of which `presentBytes` exist, and for compiling it. */
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

/** An attempt that failed for a temporary reason, which the message states. */
export class BrokenDownload extends Error {
  /** The pause that the server requests. */
  readonly retryAfterMs: number | undefined;

  constructor(reason: string, retryAfterMs?: number) {
    super(reason);
    this.name = 'BrokenDownload';
    this.retryAfterMs = retryAfterMs;
  }
}

export interface DownloadAttemptOptions {
  readonly url: URL;
  readonly reach: AllowedServers;
  readonly target: string;
  readonly part: PartialFile;
  readonly onProgress: (progress: DownloadProgress) => void;
  readonly limits: DownloadLimits;
  readonly disk: DiskReserve;
  readonly signal: AbortSignal | undefined;
}

/**
 * One request for the missing part of a partial file. Throws a `BrokenDownload`, or another error if another
 * attempt would not help.
 */
export class DownloadAttempt {
  readonly #options: DownloadAttemptOptions;
  readonly #kind: FileKind | undefined;

  constructor(options: DownloadAttemptOptions) {
    this.#options = options;
    this.#kind = kindByName(basename(options.target));
  }

  async run(): Promise<void> {
    const response = await this.#ask();
    try {
      await this.#take(response);
    } finally {
      response.destroy();
    }
  }

  #ask(): Promise<IncomingMessage> {
    const { url, reach, part, limits, signal } = this.#options;
    return httpGet({ url, reach, headers: rangeHeaders(part), limits, signal }).catch((error) => {
      throw error instanceof OperatorError ? error : broken(error);
    });
  }

  async #take(response: IncomingMessage): Promise<void> {
    const { part, url } = this.#options;
    const plan = planFor(part, { status: response.statusCode ?? 0, headers: response.headers });
    switch (plan.kind) {
      case 'complete':
        return;
      case 'retry':
        throw new BrokenDownload(plan.reason, plan.afterMs);
      case 'refuse':
        throw new OperatorError(`Could not download ${url}: ${plan.reason}. Is the address right?`);
      case 'discard':
        await part.restart({ url: url.href });
        throw new BrokenDownload(plan.reason);
      case 'start': {
        const { kind, ...version } = plan;
        await part.restart({ url: url.href, ...version });
        return this.#receive(response, plan.totalBytes);
      }
      case 'append':
        return this.#receive(response, plan.totalBytes);
    }
  }

  async #receive(response: IncomingMessage, totalBytes: number | undefined): Promise<void> {
    const { part, url, disk } = this.#options;
    if (totalBytes !== undefined) {
      const needed = neededBytes(totalBytes, part.sizeBytes);
      await disk.requireRoom('the download, with the catalogue made of it,', needed);
    }
    const brokenBy = await this.#receiveBody(response, totalBytes);
    if (totalBytes !== undefined && part.sizeBytes > totalBytes) {
      await part.restart({ url: url.href });
      throw new BrokenDownload('it sent more bytes than it announced');
    }
    if (brokenBy !== undefined) throw brokenBy;
    if (totalBytes !== undefined && part.sizeBytes < totalBytes) {
      throw new BrokenDownload(`it sent ${part.sizeBytes} of ${totalBytes} bytes`);
    }
    await this.#requireKind(await part.head(SIGNATURE_BYTES));
  }

  /** Resolves with the reason if the body was interrupted, otherwise with undefined. Throws if the disk fails. */
  async #receiveBody(
    response: IncomingMessage,
    totalBytes: number | undefined,
  ): Promise<BrokenDownload | undefined> {
    const { part, disk, onProgress } = this.#options;
    const chunks = response[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    let lookAtBytes = part.sizeBytes;
    for (;;) {
      const next = await chunks.next().catch(broken);
      if (next instanceof BrokenDownload) return next;
      if (next.done) return undefined;
      if (part.sizeBytes === 0 && next.value.length >= SIGNATURE_BYTES) await this.#requireKind(next.value);
      if (part.sizeBytes >= lookAtBytes) {
        await disk.requireRoom('the download', next.value.length);
        lookAtBytes = part.sizeBytes + LOOK_EVERY_BYTES;
      }
      await part.append(next.value);
      onProgress({ receivedBytes: part.sizeBytes, totalBytes });
      if (totalBytes !== undefined && part.sizeBytes > totalBytes) return undefined;
    }
  }

  async #requireKind(head: Uint8Array): Promise<void> {
    if (this.#kind === undefined || beginsLike(this.#kind, head)) return;
    const { part, url } = this.#options;
    await part.restart({ url: url.href });
    throw new OperatorError(
      `${url} is not a ${this.#kind} file, although its name says so. Is the address right?`,
    );
  }
}

function broken(error: unknown): BrokenDownload {
  const { code, message } = error as NodeJS.ErrnoException;
  // Node reports connections that ended early as "aborted" or "socket hang up".
  if (code === 'ECONNRESET') return new BrokenDownload('the connection broke off');
  return new BrokenDownload(message || code || String(error));
}
