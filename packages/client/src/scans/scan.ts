import type { ScanEvent, ScanJob, ScanResult } from '../generated/types.gen.ts';
import { LarderError } from '../http/error.ts';
import type { CallOptions } from '../http/options.ts';
import { encode } from '../http/path.ts';
import type { Transport } from '../http/transport.ts';
import { wait } from '../http/waiting.ts';
import { readMessages, type StreamMessage } from './event-stream.ts';

/** The service sends a heartbeat every 15 s. */
const SILENCE_MS = 40_000;
/** After this many streams without news the client polls. */
const MAX_IDLE_STREAMS = 2;
const POLL_MS = 1_000;
const MAX_POLL_MS = 5_000;

export interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
}

/** One photo scan. */
export class Scan {
  readonly jobId: string;
  readonly #transport: Transport;
  readonly #path: string;

  constructor(transport: Transport, jobId: string) {
    this.#transport = transport;
    this.jobId = jobId;
    this.#path = `/v1/scan/image/${encode(jobId)}`;
  }

  /** The current state. */
  get(options?: CallOptions): Promise<ScanJob> {
    return this.#transport.json({ path: this.#path, options });
  }

  /**
   * Yields the current state and each later one; the last one is `completed` or `failed`. Reads the scan's
   * stream, which it resumes after an interruption, and polls if streams do not work.
   */
  async *states({ signal }: FollowOptions = {}): AsyncGenerator<ScanEvent, void> {
    let status: string | undefined;
    let lastEventId: string | undefined;
    for (let idle = 0; idle < MAX_IDLE_STREAMS; idle++) {
      try {
        for await (const { id, data } of this.#stream(lastEventId, signal)) {
          lastEventId = id ?? lastEventId;
          const state = JSON.parse(data) as ScanEvent;
          if (state.status === status) continue;
          status = state.status;
          idle = -1;
          yield state;
          if (isFinal(state)) return;
        }
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        if (isRefusal(error)) throw error;
      }
    }
    for (let pollMs = POLL_MS; ; pollMs = Math.min(MAX_POLL_MS, pollMs * 1.2)) {
      const { created_at, ...state } = await this.get({ signal });
      if (state.status !== status) yield state;
      status = state.status;
      if (isFinal(state)) return;
      await wait(pollMs, signal);
    }
  }

  /** Waits for the result. Throws `scan_failed` if the scan fails. */
  async result(options?: FollowOptions): Promise<ScanResult> {
    for await (const { result, error } of this.states(options)) {
      if (result !== undefined) return result;
      if (error !== undefined) {
        throw new LarderError({ code: 'scan_failed', message: error.message, details: error });
      }
    }
    throw new Error(`The scan ${this.jobId} ended without a result and without an error.`);
  }

  /** Deletes the scan, its image and its result. */
  remove(options?: CallOptions): Promise<void> {
    return this.#transport.json({ method: 'DELETE', path: this.#path, options });
  }

  async *#stream(
    lastEventId: string | undefined,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<StreamMessage, void> {
    const headers = {
      accept: 'text/event-stream',
      ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
    };
    const call = {
      path: `${this.#path}/stream`,
      headers,
      options: { signal, timeoutMs: SILENCE_MS, maxRetries: 0 },
    };
    const { body, deadline } = await this.#transport.send(call, ({ body }, deadline) => {
      deadline.isKept = true;
      return { body, deadline };
    });
    try {
      if (body !== null) yield* readMessages(body, () => deadline.restart());
    } finally {
      deadline.clear();
    }
  }
}

function isFinal({ status }: Pick<ScanEvent, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

/** Whether polling would be rejected, too. */
function isRefusal(error: unknown): boolean {
  const status = error instanceof LarderError ? error.status : undefined;
  return status !== undefined && [401, 403, 404].includes(status);
}
