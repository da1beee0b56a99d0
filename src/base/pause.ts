import { setTimeout as wait } from 'node:timers/promises';

export interface PauseOptions {
  /** Ends the pause when it is aborted. */
  readonly signal?: AbortSignal;
  /** Whether the pause keeps the process alive; by default it does. */
  readonly ref?: boolean;
}

export type Pause = (ms: number, options?: PauseOptions) => Promise<void>;

/** Resolves after `ms`. Rejects with the reason of `signal` when that is aborted before. */
export async function pause(ms: number, options: PauseOptions = {}): Promise<void> {
  try {
    await wait(ms, undefined, options);
  } catch (error) {
    options.signal?.throwIfAborted();
    throw error;
  }
}
