import { Larder } from '#larder-client';
import { CheckedResponse, CheckFailure } from './checked-response.ts';

/** Limit of a response, far above what the checks request. */
const MAX_ANSWER_BYTES = 16 * 2 ** 20;

export interface CheckRequest {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** The credential: the key as a bearer (the default), the key as `x-api-key`, another bearer, or none. */
  readonly as?: 'v1' | 'unversioned' | 'nobody' | { readonly bearer: string };
}

export interface SessionOptions {
  /** The URL without a trailing slash. */
  readonly url: string;
  /** Empty without a key. */
  readonly key: string;
  /** Part of all names that this run creates; different in every run. */
  readonly mark: string;
  /** Factor on all time limits. */
  readonly patience: number;
  readonly signal: AbortSignal;
}

/**
 * A check's connection to the service: verifies the common properties of all responses, and records what to
 * clean up.
 */
export class Session {
  readonly url: string;
  readonly key: string;
  readonly mark: string;
  readonly patience: number;
  readonly signal: AbortSignal;
  /** Without a credential, since checks send good and bad ones. */
  readonly #larder: Larder;
  readonly #cleanUps: ((session: Session) => Promise<void>)[] = [];

  constructor({ url, key, mark, patience, signal }: SessionOptions) {
    this.url = url;
    this.#larder = new Larder({ url });
    this.key = key;
    this.mark = mark;
    this.patience = patience;
    this.signal = signal;
  }

  /** This run's user, as part of a path. */
  get user(): string {
    return `/v1/users/${this.userId}`;
  }

  /** Begins with the base path of the service, like links in responses. */
  linkTo(path: string): RegExp {
    const basePath = new URL(this.url).pathname.replace(/\/$/, '');
    return new RegExp(`^${(basePath + path).replace(/[^\w/-]/g, '\\$&')}.`);
  }

  get userId(): string {
    return `larder-check-${this.mark}`;
  }

  /** Sends a request to `path`. A response without the common properties fails the check. */
  async ask(method: string, path: string, sending: CheckRequest = {}): Promise<CheckedResponse> {
    const { body } = sending;
    const headers = { ...this.credential(sending.as), ...sending.headers };
    const answer = await this.#send(method, this.url + path, {
      headers: body === undefined ? headers : { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    answer.holdToAllAnswers();
    return answer;
  }

  /** Uploads to a URL that the service returned, which may be on another server. */
  put(address: string, bytes: Uint8Array, type: string): Promise<CheckedResponse> {
    return this.#send('PUT', address, { headers: { 'content-type': type }, body: Buffer.from(bytes) });
  }

  /** Reads a URL that the service returned. */
  fetchStored(address: string): Promise<CheckedResponse> {
    return this.#send('GET', address, {});
  }

  /** Sends a request of this check, which includes its credential, if any. */
  request(address: string, init: RequestInit): Promise<Response> {
    return this.#larder.request(address, { ...init, signal: this.signal });
  }

  credential(as: CheckRequest['as'] = 'v1'): Record<string, string> {
    if (as === 'nobody') return {};
    if (as === 'unversioned') return { 'x-api-key': this.key };
    return { authorization: `Bearer ${as === 'v1' ? this.key : as.bearer}` };
  }

  /** Registers work for the end of the check, however it ends; the last one registered runs first. */
  later(cleanUp: (session: Session) => Promise<void>): void {
    this.#cleanUps.unshift(cleanUp);
  }

  /** Removes created data, with a separate time limit, since that of the check may have passed. */
  async cleanUp(signal: AbortSignal): Promise<void> {
    const fresh = new Session({ ...this, signal });
    for (const cleanUp of this.#cleanUps.splice(0)) await cleanUp(fresh);
  }

  async #send(method: string, address: string, init: RequestInit): Promise<CheckedResponse> {
    const shown = address.startsWith(this.url) ? address.slice(this.url.length) : new URL(address).origin;
    const asked = `${method} ${shown.replace(/\?expires=.*/, '?…')}`;
    try {
      const response = await this.request(address, { ...init, method });
      return new CheckedResponse({ asked, response, text: await readText(response) });
    } catch (cause) {
      throw unanswered(asked, cause, this.signal);
    }
  }
}

/** A failure that says why there was no response; errors that are not of the network are returned unchanged. */
export function unanswered(asked: string, cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return new CheckFailure(`${asked} was not answered within the time of this check.`);
  if (!(cause instanceof TypeError)) return cause;
  const { cause: reason } = cause;
  return new CheckFailure(`${asked} failed: ${reason instanceof Error ? reason.message : cause.message}.`);
}

async function readText(response: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    if (size > MAX_ANSWER_BYTES) throw new CheckFailure(`${response.url} answers more than 16 MiB.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
