import { OperatorError } from '@larder/core/errors.ts';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { z } from 'zod';
import { scanSchema } from '../../api/scans/scan-json.ts';
import { type Pause, pause as pauseOnTimer } from '../../base/pause.ts';
import type { ImageType } from '../../scan/scan-job.ts';
import { unreachable } from '../terminal/service-access.ts';

/** Polling interval without a stream. */
const POLL_MS = 1_000;
/** The client id that jobs record. */
const CLIENT_ID = 'larder-cli';
/** Statuses that indicate a bad credential, after which no other file is tried. */
const STATUSES_OF_BAD_CREDENTIALS = [401, 403];

const createdSchema = z.object({ jobId: z.string(), uploadUrl: z.string() });
const refusalSchema = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    details: z.object({ retryAfter: z.number().optional() }),
  }),
});
const stateSchema = scanSchema.omit({ created_at: true });

/** A scan as the service reports it, in the stream and when polled. */
export type ScanAnswer = z.infer<typeof stateSchema>;

/** The reason for a missing result, from the service or this program. */
export interface ScanTrouble {
  readonly code: string;
  readonly message: string;
}

/** The service rejects this image. */
export class ScanRefused extends Error {
  readonly trouble: ScanTrouble;

  constructor(trouble: ScanTrouble) {
    super(trouble.message);
    this.trouble = trouble;
  }
}

export interface ScanClientOptions {
  /** Origin of the service. */
  readonly url: string;
  readonly key: string;
  /** The name of the key in messages. */
  readonly keyName: string;
  readonly fetch: typeof fetch;
  readonly pause?: Pause;
  /** Called with the wait when the service limits requests. */
  readonly onWait: (seconds: number) => void;
}

/** Scans images over the public API of a running service. */
export class ScanClient {
  readonly #options: ScanClientOptions;
  readonly #pause: Pause;

  constructor({ pause = pauseOnTimer, ...options }: ScanClientOptions) {
    this.#options = options;
    this.#pause = pause;
  }

  async create(contentType: ImageType, signal: AbortSignal): Promise<z.infer<typeof createdSchema>> {
    const response = await this.#ask('/v1/scan/image', signal, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ clientId: CLIENT_ID, contentType }),
    });
    return createdSchema.parse(await response.json());
  }

  /** Uploads to the signed URL, which needs no other credential. */
  async upload(address: string, contentType: ImageType, bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal) {
    const response = await this.#fetch(address, {
      method: 'PUT',
      headers: { 'content-type': contentType },
      body: bytes,
      signal,
    });
    if (!response.ok) throw await refusalOf(response);
    await response.body?.cancel();
  }

  /** Yields the scan's states, the final one last, from its stream, or by polling if that ends early. */
  async *follow(jobId: string, signal: AbortSignal): AsyncGenerator<ScanAnswer, void> {
    const path = `/v1/scan/image/${jobId}`;
    try {
      for await (const state of this.#stream(`${path}/stream`, signal)) {
        yield state;
        if (isFinal(state)) return;
      }
    } catch (error) {
      if (error instanceof OperatorError || signal.aborted) throw error;
    }
    for (;;) {
      const response = await this.#ask(path, signal);
      const state = stateSchema.parse(await response.json());
      yield state;
      if (isFinal(state)) return;
      await this.#pause(POLL_MS, { signal });
    }
  }

  async *#stream(path: string, signal: AbortSignal): AsyncGenerator<ScanAnswer, void> {
    const { body } = await this.#ask(path, signal, { headers: { accept: 'text/event-stream' } });
    const events = body!.pipeThrough(new TextDecoderStream()).pipeThrough(new EventSourceParserStream());
    for await (const { data } of events) yield stateSchema.parse(JSON.parse(data));
  }

  /** Sends a request and waits if the service asks for it. */
  async #ask(path: string, signal: AbortSignal, init: RequestInit = {}): Promise<Response> {
    const { url, key, onWait } = this.#options;
    const headers = { ...init.headers, authorization: `Bearer ${key}` };
    for (;;) {
      const response = await this.#fetch(url + path, { ...init, headers, signal });
      if (response.ok) return response;
      const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
      if (response.status !== 429 || !(retryAfter > 0)) throw await this.#refusalOf(response);
      await response.body?.cancel();
      onWait(retryAfter);
      await this.#pause(retryAfter * 1_000, { signal });
    }
  }

  /** Makes the error of a refusal; a refused key ends the command. */
  async #refusalOf(response: Response): Promise<Error> {
    const refusal = await refusalOf(response);
    if (!STATUSES_OF_BAD_CREDENTIALS.includes(response.status)) return refusal;
    return new OperatorError(
      `The service refuses ${this.#options.keyName}: ${refusal.message} --key takes a key with the scope scan.`,
    );
  }

  async #fetch(address: string, init: RequestInit): Promise<Response> {
    try {
      return await this.#options.fetch(address, init);
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw unreachable(address, error);
    }
  }
}

export function isFinal({ status }: Pick<ScanAnswer, 'status'>): boolean {
  return status === 'completed' || status === 'failed';
}

/** Parses a refusal. Responses in another form come from a proxy or another object store. */
async function refusalOf(response: Response): Promise<ScanRefused> {
  const text = await response.text();
  const { success, data } = refusalSchema.safeParse(parseJson(text));
  const trouble = success
    ? { code: data.error.code, message: data.error.message }
    : {
        code: `http_${response.status}`,
        message: `${new URL(response.url).origin} answered ${response.status}.`,
      };
  return new ScanRefused(trouble);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
