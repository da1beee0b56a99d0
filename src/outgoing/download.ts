import { dirname } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import type { Pause } from '../base/pause.ts';
import { backoffMs, retry } from '../base/retry.ts';
import { counted } from '../base/texts.ts';
import type { DiskReserve } from '../files/disk-reserve.ts';
import {
  BrokenDownload,
  DOWNLOAD_LIMITS,
  DownloadAttempt,
  type DownloadLimits,
  type DownloadProgress,
} from './download-attempt.ts';
import type { AllowedServers } from './http-get.ts';
import { PartialFile } from './partial-file.ts';

export interface Download {
  readonly url: URL;
  readonly reach: AllowedServers;
  /** Path of the finished file. */
  readonly target: string;
  readonly onProgress: (progress: DownloadProgress) => void;
  /** Called with the reason of a failed attempt and what happens next, as a text for people. */
  readonly onTrouble: (message: string) => void;
  readonly signal?: AbortSignal;
  readonly limits?: DownloadLimits;
  /** Space in the folder of `target`. */
  readonly disk: DiskReserve;
  readonly pause?: Pause;
}

/**
 * Downloads `url` to `target`, once.
 *
 *     request the missing part ──▶ 206: append ─┬─▶ complete ──▶ rename, done
 *          ▲                       200: restart ─┤
 *          │                       416: is it complete? ──▶ done, or restart
 *          └── pause, doubling ◀── interrupted, 5xx, 429, no data, changed
 *
 * Received bytes stay in `TARGET.part`, also if this throws or the process crashes; the next call continues
 * there if the server proves that the file is unchanged. Throws an `OperatorError` if the server rejects the
 * request, the disk is too small or a limit is reached, and the signal's reason if it is aborted.
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
  pause,
}: Download): Promise<void> {
  const part = await PartialFile.open(target, url.href);
  const attempt = new DownloadAttempt({ url, reach, target, part, onProgress, limits, disk, signal });
  try {
    let fruitless = 0;
    // The maximum over all attempts, because a server without ranges starts again each time and may make no progress.
    let farthest = part.sizeBytes;
    const delayMs = (error: unknown, attempts: number) => {
      if (!(error instanceof BrokenDownload)) return undefined;
      fruitless = part.sizeBytes > farthest ? 0 : fruitless + 1;
      farthest = Math.max(farthest, part.sizeBytes);
      if (fruitless >= limits.maxFruitlessAttempts || attempts >= limits.maxAttempts) {
        throw new OperatorError(
          `Could not download ${url}: ${error.message}. Tried ${counted(attempts, 'time')}; ` +
            'The received part is kept: run the command again to continue.',
        );
      }
      const ms = retryDelayMs(fruitless, error.retryAfterMs, limits);
      onTrouble(`${error.message}; trying again in ${Math.ceil(ms / 1000)} s`);
      return ms;
    };
    await retry(() => attempt.run(), { delayMs, signal, pause });
    signal?.throwIfAborted();
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

function retryDelayMs(fruitless: number, afterMs = 0, limits: DownloadLimits): number {
  const backoff = { firstMs: limits.firstRetryDelayMs, maxMs: limits.maxRetryDelayMs };
  return Math.min(Math.max(backoffMs(backoff, Math.max(1, fruitless)), afterMs), limits.maxRetryDelayMs);
}

function isDiskFull(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOSPC';
}
