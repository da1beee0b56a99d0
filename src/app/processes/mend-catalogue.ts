import type { Log } from '../../base/log.ts';
import { backoffMs, retry } from '../../base/retry.ts';
import type { Config } from '../../config/config.ts';
import { inProcess } from '../../threads/in-process.ts';
import type { MendingCalls, MendingParent } from './mending-process.ts';

const ENTRY = new URL('./mending-process.ts', import.meta.url);
const START_TIMEOUT_MS = 60_000;
/** As much as an import may take. */
const MAX_HEAP_MB = 3_072;
const MAX_MEMORY_BYTES = 6e9;
const RETRIES = { firstMs: 5_000, maxMs: 10 * 60_000 };

export interface MendingOptions {
  readonly config: Config;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/**
 * Replaces a catalogue that cannot be used, in another process, until that succeeds or `signal` is aborted. Whoever watches the
 * catalogue in use notices the new one.
 */
export async function mendCatalogue({ config, log, signal }: MendingOptions): Promise<void> {
  const attempt = () =>
    inProcess<MendingCalls, Config, void>(
      {
        entry: ENTRY,
        local: { tell: ({ facts, message }) => log.warn(facts, message) } satisfies MendingParent,
        maxHeapMb: MAX_HEAP_MB,
        maxMemoryBytes: MAX_MEMORY_BYTES,
        options: config,
        timeoutMs: START_TIMEOUT_MS,
        signal,
      },
      (channel) => channel.call('mend', undefined),
    );
  const delayMs = (err: unknown, failures: number) => {
    log.error(
      { err },
      'the catalogue cannot be mended: there are no foods, but the diary; it is tried again',
    );
    return backoffMs(RETRIES, failures);
  };
  try {
    await retry(attempt, { delayMs, signal, ref: false });
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}
