import type { IncomingMessage } from 'node:http';
import { AppError } from '@larder/core/errors.ts';
import { brokeOff, tookTooLong } from './body.ts';
import { MAX_DROPPED_BYTES, MIN_UPLOAD_BYTES_PER_S, SMALL_PIECE_BYTES, UPLOAD_STALL_MS } from './limits.ts';

/**
 * The body of a request; the connection survives a reader that stops early. Throws `invalid_request` where nothing comes
 * for `UPLOAD_STALL_MS`, or less than `MIN_UPLOAD_BYTES_PER_S`; the connection can then be used for nothing else.
 */
export async function* rawBody(request: IncomingMessage, onStall: () => void): AsyncGenerator<Buffer, void> {
  const chunks = request.iterator({ destroyOnReturn: false });
  const beganAtMs = performance.now();
  let sizeBytes = 0;
  try {
    for (;;) {
      const next = await unlessStalled(chunks.next());
      if (next?.done === true) return;
      sizeBytes += next?.value.length ?? 0;
      if (next === undefined || trickles(sizeBytes, performance.now() - beganAtMs)) {
        onStall();
        throw tookTooLong();
      }
      yield next.value;
    }
  } catch (cause) {
    if (cause instanceof AppError || !request.destroyed || request.complete) throw cause;
    throw brokeOff(cause);
  } finally {
    // Not awaited: after a stall it has to wait for the client. Its failure is that of the connection.
    chunks.return?.().catch(() => {});
  }
}

function trickles(sizeBytes: number, elapsedMs: number): boolean {
  return elapsedMs > UPLOAD_STALL_MS && sizeBytes < (elapsedMs / 1_000) * MIN_UPLOAD_BYTES_PER_S;
}

/** Undefined where it takes too long. */
async function unlessStalled<T>(next: Promise<T>): Promise<T | undefined> {
  const stalled = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => stalled.resolve(undefined), UPLOAD_STALL_MS);
  try {
    return await Promise.race([next, stalled.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Reads past the rest of a body, so that the connection can take the next request. */
export function dropRest(request: IncomingMessage): void {
  let droppedBytes = 0;
  request.on('data', (chunk: Buffer) => {
    // However small, a piece costs as much as this.
    droppedBytes += Math.max(chunk.length, SMALL_PIECE_BYTES);
    if (droppedBytes > MAX_DROPPED_BYTES) request.destroy();
  });
  // The answer is on its way already, so a client that breaks off now needs no error.
  request.on('error', () => {});
  request.resume();
}
