import type { IncomingMessage } from 'node:http';
import { OutageError } from '@larder/core/errors.ts';
import { AwsV4Signer } from 'aws4fetch';
import { readBounded } from '../../outgoing/bounded-response.ts';
import { httpRequest, isSuccess } from '../../outgoing/http-request.ts';
import { type BucketAddress, bucketAddress } from './bucket-address.ts';
import { parseErrorCode } from './xml.ts';

/**
 * Sends a request to a server that may stop responding. If no response begins, a second try runs beside the
 * first one and is replaced by a fresh one every `everyMs`: a server that recovers answers new requests, but
 * never those it lost. The first try keeps all of its time, in case the server is only slow. The request must
 * be idempotent. Fails as the first try does.
 */
export async function hedgedRequest<Answer>(
  send: (signal: AbortSignal) => Promise<Answer>,
  everyMs: number,
): Promise<Answer> {
  const answer = Promise.withResolvers<Answer>();
  const tries: AbortController[] = [];
  let winner: AbortController | undefined;
  const begin = (onFailure: (error: unknown) => void) => {
    const abort = new AbortController();
    tries.push(abort);
    send(abort.signal).then((response) => {
      winner ??= abort;
      answer.resolve(response);
    }, onFailure);
  };
  begin(answer.reject);
  const timer = setInterval(() => {
    if (tries.length > 1) tries.pop()!.abort();
    begin(() => {});
  }, everyMs);
  try {
    return await answer.promise;
  } finally {
    clearInterval(timer);
    for (const abort of tries) if (abort !== winner) abort.abort();
  }
}

/** Time limit until a response was read completely. */
const REQUEST_TIMEOUT_MS = 30_000;
/** A request without a response by then is sent again beside the first one. */
const RENEW_EVERY_MS = 2_000;
/** Larger bodies are not sent again while they may still be on their way. */
const MAX_RENEWED_BYTES = 64 * 1024;
const MAX_REFUSAL_BYTES = 64 * 1024;
const TOO_MANY_REQUESTS = 429;
const FIRST_SERVER_FAULT = 500;
const NOT_FOUND = 404;
/**
 * Error codes ("Error responses" in the S3 API reference) that every request would get, with what an operator does then.
 * `AccessDenied` is not one, because it may be about one object.
 */
const REFUSES_ALL: Readonly<Record<string, string>> = {
  NoSuchBucket: 'the bucket does not exist; create it, or correct its name',
  InvalidAccessKeyId: 'the access key is unknown; correct it',
  SignatureDoesNotMatch: 'the secret of the access key is wrong; correct it',
  ExpiredToken: 'the credentials have expired; renew them',
  RequestTimeTooSkewed: 'the clock of this machine is wrong; correct it',
};
/** S3's own limit for the validity of a signed URL. */
const MAX_ADDRESS_SECONDS = 7 * 24 * 60 * 60;

export interface BucketAccess extends BucketAddress {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly nowMs: () => number;
}

type SignerOptions = ConstructorParameters<typeof AwsV4Signer>[0];

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** Cancels the request when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Requests to one bucket, signed by AWS Signature Version 4 ("Authenticating Requests" in the S3 API reference). */
export class S3Bucket {
  readonly #base: string;
  readonly #credentials: Pick<BucketAccess, 'accessKeyId' | 'secretAccessKey' | 'region'>;
  readonly #nowMs: () => number;

  constructor({ nowMs, accessKeyId, secretAccessKey, region, ...place }: BucketAccess) {
    this.#base = bucketAddress(place);
    this.#credentials = { accessKeyId, secretAccessKey, region };
    this.#nowMs = nowMs;
  }

  /**
   * `target` is a key, or a query on the bucket. Throws for every status except success: an `OutageError` if
   * the store cannot be reached, does not answer in time, says that it is unavailable or rejects all
   * requests.
   */
  async send(method: string, target: string, options: SendOptions = {}): Promise<IncomingMessage> {
    const response = await this.#request(method, target, options);
    if (!isSuccess(response)) throw (await refusalOf(response, method, target)).error;
    return response;
  }

  /**
   * Sends like `send`, but returns undefined if no object has this key. A response to HEAD does not distinguish a
   * missing bucket.
   */
  async sendToObject(
    method: string,
    key: string,
    options: SendOptions = {},
  ): Promise<IncomingMessage | undefined> {
    const response = await this.#request(method, key, options);
    if (isSuccess(response)) return response;
    const { error, refusesAll } = await refusalOf(response, method, key);
    if (response.statusCode === NOT_FOUND && !refusesAll) return undefined;
    throw error;
  }

  /** A URL that anybody may use until it expires, with exactly the given values of the signed headers. */
  async presign(
    method: string,
    key: string,
    expiresAtMs: number,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const seconds = Math.floor((expiresAtMs - this.#nowMs()) / 1000);
    if (seconds < 1) throw new Error('the address would have expired before it is used');
    const query = new URLSearchParams({ 'X-Amz-Expires': String(Math.min(seconds, MAX_ADDRESS_SECONDS)) });
    const url = `${this.#urlOf(key)}?${query}`;
    const signed = await this.#sign({ method, url, headers, datetime: this.#datetime(), signQuery: true });
    return signed.url.href;
  }

  async #request(method: string, target: string, options: SendOptions): Promise<IncomingMessage> {
    const { headers = {}, body, signal } = options;
    const signed = await this.#sign({
      method,
      url: this.#urlOf(target),
      headers,
      datetime: this.#datetime(),
    });
    const limits = [AbortSignal.timeout(REQUEST_TIMEOUT_MS), ...(signal === undefined ? [] : [signal])];
    const once = (isOver: AbortSignal) =>
      httpRequest({
        url: signed.url,
        method,
        headers: Object.fromEntries(signed.headers),
        ...(body !== undefined && { body }),
        signal: AbortSignal.any([isOver, ...limits]),
        keepsConnection: true,
      });
    const answer = isHarmless(method, body)
      ? hedgedRequest(once, RENEW_EVERY_MS)
      : once(new AbortController().signal);
    return answer.catch((error) => {
      throw toOutage(error, signal);
    });
  }

  #urlOf(target: string): string {
    return target.startsWith('?') ? this.#base + target : `${this.#base}/${target}`;
  }

  /** Signs with `allHeaders`, since the signer otherwise leaves out Content-Type and Content-Length. */
  #sign(request: Omit<SignerOptions, 'accessKeyId' | 'secretAccessKey'>) {
    return new AwsV4Signer({ ...this.#credentials, service: 's3', allHeaders: true, ...request }).sign();
  }

  /** The time format `20260421T101500Z`. */
  #datetime(): string {
    return new Date(this.#nowMs()).toISOString().replace(/[:-]|\.\d{3}/g, '');
  }
}

/** Reads the body of an unsuccessful response and makes its error. */
async function refusalOf(
  response: IncomingMessage,
  method: string,
  target: string,
): Promise<{ readonly error: Error; readonly refusesAll: boolean }> {
  const body = await readBounded(response, MAX_REFUSAL_BYTES).catch(() => '');
  const code = parseErrorCode(body.toString());
  const advice = code === undefined ? undefined : REFUSES_ALL[code];
  const refusesAll = advice !== undefined;
  const message = `object storage answered ${method} ${target} with ${response.statusCode} ${code ?? ''}${refusesAll ? `: ${advice}` : ''}`;
  const isOutage = refusesAll || isPassing(response.statusCode!);
  return { error: isOutage ? new OutageError(message) : new Error(message), refusesAll };
}

/** An `OutageError` for an interrupted request, or the reason of `signal` if that was aborted. */
export function toOutage(error: unknown, signal: AbortSignal | undefined): unknown {
  if (signal?.aborted) return signal.reason;
  return new OutageError('object storage does not answer', { cause: error });
}

/** Whether it may be sent twice. */
function isHarmless(method: string, body: Uint8Array | undefined): boolean {
  return method === 'PUT' ? body !== undefined && body.length <= MAX_RENEWED_BYTES : method !== 'POST';
}

function isPassing(status: number): boolean {
  return status >= FIRST_SERVER_FAULT || status === TOO_MANY_REQUESTS;
}
