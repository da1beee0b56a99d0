import { connect } from 'node:net';

const HEAD_END = Buffer.from('\r\n\r\n');
const SUCCESS = /^HTTP\/1\.1 20[01] /;
const CONTENT_LENGTH = /\r\ncontent-length: (\d+)/i;

export interface LoadOptions {
  readonly port: number;
  /** One request for each connection, repeated as soon as the response is complete. */
  readonly requests: readonly (string | (() => string))[];
  readonly durationMs: number;
}

export interface LoadResult {
  readonly requestsPerSecond: number;
  /** Microseconds, sorted. */
  readonly latenciesUs: readonly number[];
}

/**
 * A minimal client, so that the server is measured and not the client: raw sockets, one request at a time on
 * each, responses separated by length. Fails on statuses other than 200 and 201.
 */
export async function runLoad({ port, requests, durationMs }: LoadOptions): Promise<LoadResult> {
  const latenciesUs: number[] = [];
  const startedAt = performance.now();
  const endsAt = startedAt + durationMs;
  await Promise.all(requests.map((request) => keepAsking(port, request, endsAt, latenciesUs)));
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    requestsPerSecond: latenciesUs.length / seconds,
    latenciesUs: latenciesUs.sort((a, b) => a - b),
  };
}

function keepAsking(
  port: number,
  request: string | (() => string),
  endsAt: number,
  latenciesUs: number[],
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    let sentAt = 0;
    let pending: Buffer | undefined;
    const ask = () => {
      sentAt = performance.now();
      socket.write(typeof request === 'string' ? request : request());
    };
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      pending = pending === undefined ? chunk : Buffer.concat([pending, chunk]);
      const headEnd = pending.indexOf(HEAD_END);
      if (headEnd === -1) return;
      const head = pending.toString('latin1', 0, headEnd);
      if (!SUCCESS.test(head)) return reject(new Error(`no success: ${pending}`));
      if (pending.length < headEnd + HEAD_END.length + Number(CONTENT_LENGTH.exec(head)![1])) return;
      pending = undefined;
      const now = performance.now();
      latenciesUs.push((now - sentAt) * 1000);
      if (now < endsAt) ask();
      else socket.end(resolve);
    });
  });
}
