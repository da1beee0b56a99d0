import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { OperatorError } from '@larder/core/errors.ts';
import type { DiskReserve } from '../files/disk-reserve.ts';
import { counted } from '../texts.ts';
import {
  DOWNLOAD_LIMITS,
  DownloadAttempt,
  type DownloadLimits,
  type DownloadProgress,
} from './download-attempt.ts';
import type { Reach } from './http-get.ts';
import { PartialFile } from './partial-file.ts';

export interface Download {
  readonly url: URL;
  readonly reach: Reach;
  /** Path of the finished file. */
  readonly target: string;
  readonly onProgress: (progress: DownloadProgress) => void;
  /** Called with why an attempt failed and what happens next, for a person. */
  readonly onTrouble: (message: string) => void;
  readonly signal?: AbortSignal;
  readonly limits?: DownloadLimits;
  /** Of the folder of `target`. */
  readonly disk: DiskReserve;
  readonly wait?: (delayMs: number, signal?: AbortSignal) => Promise<unknown>;
}

/**
 * Downloads `url` to `target`, once.
 *
 * ```
 * ask for what is missing ──▶ 206: append ─┬─▶ all there ──▶ rename, done
 *        ▲                    200: anew ───┤
 *        │                    416: is it complete? ──▶ done, or anew
 *        └── wait, doubling ◀── broke off, 5xx, 429, silence, changed
 * ```
 *
 * Received bytes stay in `TARGET.part`, also if this throws or the process dies; the next call continues there if the
 * server proves that the file is unchanged. Throws an `OperatorError` if the server refuses, the disk is too small or a
 * limit is reached, and the signal's reason if it is aborted.
 */
export async function download({
  url,
  reach,
  target,
  onProgress,
  onTrouble,
  signal,
  limits = DOWNLOAD_LIMITS,
  disk,
  wait = waitFor,
}: Download): Promise<void> {
  const part = await PartialFile.open(target, url.href);
  const attempt = new DownloadAttempt({ url, reach, target, part, onProgress, limits, disk, signal });
  try {
    let fruitless = 0;
    // The maximum over all attempts, because a server without ranges starts again each time and may make no progress.
    let farthest = part.sizeBytes;
    for (let attempts = 1; ; attempts++) {
      const result = await attempt.run();
      signal?.throwIfAborted();
      if (result.done) break;
      fruitless = part.sizeBytes > farthest ? 0 : fruitless + 1;
      farthest = Math.max(farthest, part.sizeBytes);
      if (fruitless >= limits.maxFruitlessAttempts || attempts >= limits.maxAttempts) {
        throw new OperatorError(
          `Could not download ${url}: ${result.reason}. Tried ${counted(attempts, 'time')}; ` +
            'what arrived is kept, run the command again to continue.',
        );
      }
      const delayMs = retryDelay(fruitless, result.afterMs, limits);
      onTrouble(`${result.reason}; trying again in ${Math.ceil(delayMs / 1000)} s`);
      await wait(delayMs, signal);
    }
    await part.finish();
  } catch (error) {
    await part.close().catch(() => undefined);
    signal?.throwIfAborted();
    throw isDiskFull(error)
      ? new OperatorError(
          `The disk of ${dirname(target)} is full. Free some space and run the command again to continue.`,
          { cause: error },
        )
      : error;
  }
}

function waitFor(delayMs: number, signal?: AbortSignal): Promise<void> {
  return delay(delayMs, undefined, signal === undefined ? {} : { signal });
}

function retryDelay(fruitless: number, afterMs: number | undefined, limits: DownloadLimits): number {
  const doubled = limits.firstRetryDelayMs * 2 ** Math.max(0, fruitless - 1);
  return Math.min(Math.max(doubled, afterMs ?? 0), limits.maxRetryDelayMs);
}

function isDiskFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOSPC';
}
