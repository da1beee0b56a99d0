import { pipeline, type Readable } from 'node:stream';
import { isKnownVersion, versionTag } from './caching/etag.ts';
import type { Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import { JSON_TYPE } from './headers.ts';
import type { Answer, Reply } from './operation.ts';

const NO_CONTENT = 204;
const NOT_MODIFIED = 304;

/** An answer with everything that its operation says of it, ready to be sent. */
export interface CompleteReply extends Pick<Reply, 'body'> {
  readonly status: number;
  /** Besides those of every answer. Without a body there is no `content-type`. */
  readonly headers: Readonly<Record<string, string | number>>;
}

/** Completes what a handler answered; `ifNoneMatch` is that header of the request. */
export function completeReply(
  { answer: declared, headers: read }: Pick<Endpoint, 'answer' | 'headers'>,
  answer: Answer,
  ifNoneMatch: string | undefined,
): CompleteReply {
  const type = { 'content-type': declared.contentType ?? JSON_TYPE };
  if (typeof answer === 'string' || Buffer.isBuffer(answer)) {
    return { status: declared.status ?? 200, headers: type, body: answer };
  }
  const { status = declared.status ?? 200, headers, version, body } = answer ?? {};
  const etag = version === undefined ? undefined : { etag: versionTag(version) };
  const readsIfNoneMatch = read !== undefined && 'shape' in read && 'If-None-Match' in read.shape;
  if (version !== undefined && readsIfNoneMatch && isKnownVersion(ifNoneMatch, version)) {
    return { status: NOT_MODIFIED, headers: { ...etag } };
  }
  if (body === undefined) return { status, headers: { ...etag, ...headers } };
  return { status, headers: { ...type, ...etag, ...headers }, body };
}

/**
 * Writes head and body. What is there at once goes out in one write; a stream is read as fast as the client takes it. Calls
 * `fail` where a stream breaks before its first byte.
 */
export function sendReply(exchange: Exchange, reply: CompleteReply, fail: (error: unknown) => void): void {
  const { response, incoming } = exchange;
  const { status, body } = reply;
  const headers = Object.assign(exchange.replyHeaders, reply.headers);
  if (typeof body === 'string' || Buffer.isBuffer(body)) {
    headers['content-length'] = Buffer.byteLength(body);
    response.writeHead(status, headers);
    response.end(body);
  } else if (body === undefined) {
    // RFC 9110, 8.6: these two must not have a length.
    if (status !== NO_CONTENT && status !== NOT_MODIFIED) headers['content-length'] = 0;
    response.writeHead(status, headers);
    response.end();
  } else if (typeof body === 'function') {
    headers['connection'] = 'close';
    response.writeHead(status, headers);
    if (incoming.method === 'HEAD') response.end();
    else body(response);
  } else {
    sendStream(body, exchange, status, fail);
  }
}

/** The head waits for the first bytes, since until then the answer can become an error. */
function sendStream(
  body: Readable,
  { response, incoming, replyHeaders }: Exchange,
  status: number,
  fail: (error: unknown) => void,
): void {
  body.once('error', fail);
  response.once('close', () => body.destroy());
  body.once('readable', () => {
    body.off('error', fail);
    response.writeHead(status, replyHeaders);
    if (incoming.method === 'HEAD') {
      body.destroy();
      response.end();
    } else pipeline(body, response, () => {});
  });
}
