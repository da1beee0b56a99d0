import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { env } from '@huggingface/transformers';
import { OperatorError } from '@larder/core/errors.ts';
import type { DiskReserve } from '../../../files/disk-reserve.ts';
import { type HttpLimits, httpGet } from '../../../outgoing/http-get.ts';
import type { OutgoingAddresses } from '../../../outgoing/outgoing-addresses.ts';

const LIMITS: HttpLimits = { answerTimeoutMs: 30_000, idleTimeoutMs: 60_000, maxRedirects: 5 };
/** Maximum size of a model: an analysis process has no memory for a larger one. */
const MAX_FILE_BYTES = 2 * 1024 ** 3;
/** Bytes between two checks of the disk, which other programs may fill meanwhile. */
const LOOK_EVERY_BYTES = 16 * 1024 * 1024;

export interface HubOptions {
  /** Other servers to which Hugging Face may redirect. */
  readonly addresses: OutgoingAddresses;
  /** The disk of the cache folder, with its reserve. */
  readonly disk: DiskReserve;
}

/**
 * A `fetch` for files of Hugging Face: follows redirects only to allowed servers and keeps the disk reserve
 * free. Rejects with an `OperatorError` otherwise.
 */
export function hubFetch({ addresses, disk }: HubOptions): typeof env.fetch {
  return async (input, init) => {
    const url = new URL(input);
    const message = await httpGet({
      url,
      reach: { home: new URL(env.remoteHost), addresses },
      headers: Object.fromEntries(new Headers(init?.headers)),
      limits: LIMITS,
    });
    const { statusCode: status = 0, headers } = message;
    if (status !== 200 && status !== 206) {
      message.destroy();
      return new Response(null, { status });
    }
    const what = `the model file ${url.pathname}`;
    try {
      await disk.requireRoom(what, Number(headers['content-length'] ?? 0));
    } catch (error) {
      message.destroy();
      throw error;
    }
    return new Response(Readable.toWeb(Readable.from(bounded(message, what, disk))) as ReadableStream, {
      status,
      headers: { ...pick(headers, 'content-length'), ...pick(headers, 'content-range') },
    });
  };
}

function pick(
  headers: IncomingHttpHeaders,
  name: 'content-length' | 'content-range',
): Record<string, string> {
  const value = headers[name];
  return value === undefined ? {} : { [name]: value };
}

/** The body of a file, within the limits of size and disk space. */
async function* bounded(message: IncomingMessage, what: string, disk: DiskReserve): AsyncGenerator<Buffer> {
  let receivedBytes = 0;
  let lookedAtBytes = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    receivedBytes += chunk.length;
    if (receivedBytes > MAX_FILE_BYTES)
      throw new OperatorError(`${what} has more than ${MAX_FILE_BYTES} bytes.`);
    if (receivedBytes - lookedAtBytes >= LOOK_EVERY_BYTES) {
      await disk.requireRoom(what, LOOK_EVERY_BYTES);
      lookedAtBytes = receivedBytes;
    }
    yield chunk;
  }
}
