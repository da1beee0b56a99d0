import { AwsV4Signer } from 'aws4fetch';
import { parseErrorCode } from './s3-xml.ts';

/** Until an answer is read to its end. */
const REQUEST_TIMEOUT_MS = 30_000;
/** S3's own limit: a signed address lives no longer. */
const MAX_ADDRESS_SECONDS = 7 * 24 * 60 * 60;

export interface BucketLocation {
  /** The store itself, such as `https://s3.eu-central-1.amazonaws.com`, without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  /** Where the bucket's name stands: `path` (`endpoint/bucket/key`) or `host` (`bucket.endpoint/key`). */
  readonly addressing: 'path' | 'host';
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly nowMs: () => number;
}

type SignerOptions = ConstructorParameters<typeof AwsV4Signer>[0];

interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** Statuses beside success that the caller understands. */
  readonly expected?: readonly number[];
  /** Breaks off when it is aborted. */
  readonly signal?: AbortSignal;
}

/** Signed requests to one bucket, after "Authenticating Requests (AWS Signature Version 4)" of the S3 API reference. */
export class S3Bucket {
  readonly #base: string;
  readonly #credentials: Pick<BucketLocation, 'accessKeyId' | 'secretAccessKey' | 'region'>;
  readonly #nowMs: () => number;

  constructor({ endpoint, bucket, addressing, nowMs, ...credentials }: BucketLocation) {
    const url = new URL(endpoint);
    const path = url.pathname.replace(/\/$/, '');
    this.#base =
      addressing === 'path'
        ? `${url.origin}${path}/${bucket}`
        : `${url.protocol}//${bucket}.${url.host}${path}`;
    this.#credentials = credentials;
    this.#nowMs = nowMs;
  }

  /** `target` is a key, or a query on the bucket. Throws for every status that is not expected. */
  async send(method: string, target: string, options: SendOptions = {}): Promise<Response> {
    const { headers = {}, body, expected = [], signal } = options;
    const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
    const signed = await this.#sign({
      method,
      url: this.#urlOf(target),
      headers,
      datetime: this.#datetime(),
    });
    const response = await fetch(signed.url, {
      method,
      headers: signed.headers,
      ...(body !== undefined && { body }),
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    });
    if (response.ok || expected.includes(response.status)) return response;
    const code = parseErrorCode(await response.text());
    throw new Error(`object storage answered ${method} ${target} with ${response.status} ${code ?? ''}`);
  }

  /** An address that anybody may use until it expires, with these headers and no others' values. */
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

  #urlOf(target: string): string {
    return target.startsWith('?') ? this.#base + target : `${this.#base}/${target}`;
  }

  /** Without `allHeaders` the signer leaves Content-Type and Content-Length out, and anybody could change them. */
  #sign(request: Omit<SignerOptions, 'accessKeyId' | 'secretAccessKey'>) {
    return new AwsV4Signer({ ...this.#credentials, service: 's3', allHeaders: true, ...request }).sign();
  }

  /** `20260421T101500Z`. */
  #datetime(): string {
    return new Date(this.#nowMs()).toISOString().replace(/[:-]|\.\d{3}/g, '');
  }
}
