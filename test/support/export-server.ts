import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { DiskReserve } from '../../src/files/disk-reserve.ts';
import { type Download, download } from '../../src/outgoing/download.ts';
import type { DownloadLimits } from '../../src/outgoing/download-attempt.ts';
import { OutgoingAddresses } from '../../src/outgoing/outgoing-addresses.ts';

const BYTES = Uint8Array.from({ length: 50_000 }, (_, at) => (at * 7919) % 251);
/** A gzip file of some 50,000 bytes. */
export const CONTENT = gzipSync(BYTES, { level: 0 });
/** The content after a new publication. */
export const OTHER = gzipSync(Buffer.from('another version of the file'));

export const LIMITS: DownloadLimits = {
  answerTimeoutMs: 60_000,
  idleTimeoutMs: 60_000,
  maxRedirects: 3,
  maxAttempts: 20,
  maxFruitlessAttempts: 3,
  firstRetryDelayMs: 1_000,
  maxRetryDelayMs: 8_000,
};

export type Handler = (request: IncomingMessage, response: ServerResponse, call: number) => void;

/** A server of `/export.gz` with behaviour set by the test, and downloads from it into a temporary folder. */
export class ExportServer {
  handler: Handler = (_, response) => response.writeHead(404).end();
  /** The `Range` of each request so far. */
  readonly ranges: (string | undefined)[] = [];
  /** Waits between attempts, in milliseconds; no real time passes. */
  readonly waits: number[] = [];
  readonly troubles: string[] = [];
  readonly folder: string;
  readonly #server = createServer((request, response) => {
    this.ranges.push(request.headers.range);
    this.handler(request, response, this.ranges.length);
  });
  /** Ends the current response once this many bytes of the file have arrived. */
  #cut?: { atBytes: number; now: () => void };

  private constructor(folder: string) {
    this.folder = folder;
  }

  static async open(): Promise<ExportServer> {
    const server = new ExportServer(await mkdtemp(join(tmpdir(), 'larder-download-')));
    await new Promise<void>((ready) => server.#server.listen(0, '127.0.0.1', ready));
    return server;
  }

  get base(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  download(options: Partial<Download> = {}): Promise<void> {
    return download({
      url: new URL(`${this.base}/export.gz`),
      target: join(this.folder, 'export.gz'),
      reach: { home: new URL(this.base), addresses: new OutgoingAddresses({ allowed: [] }) },
      onProgress: ({ receivedBytes }) => {
        if (receivedBytes === this.#cut?.atBytes) this.#cut.now();
      },
      onTrouble: (message) => this.troubles.push(message),
      limits: LIMITS,
      disk: new DiskReserve({ folder: this.folder, reserveBytes: 0 }),
      pause: async (delayMs) => void this.waits.push(delayMs),
      ...options,
    });
  }

  async expectReceived(content: Buffer): Promise<void> {
    const received = await readFile(join(this.folder, 'export.gz'));
    expect({ bytes: received.length, same: received.equals(content) }).toEqual({
      bytes: content.length,
      same: true,
    });
  }

  /** Ends the response as soon as the download has `atBytes` of the file. */
  cutAt(atBytes: number, response: ServerResponse): void {
    this.#cut = { atBytes, now: () => response.socket?.destroy() };
  }

  /** A correct server of one version of a file, which may end each response after some bytes. */
  serve(content: Buffer, etag: string, breakAfter = Number.POSITIVE_INFINITY): Handler {
    return (request, response) => {
      const asked = /^bytes=(\d+)-$/.exec(request.headers.range ?? '');
      const same = request.headers['if-range'] === etag;
      const from = asked !== null && same ? Number(asked[1]) : 0;
      if (from >= content.length) {
        response.writeHead(416, { 'content-range': `bytes */${content.length}` }).end();
        return;
      }
      response.writeHead(from > 0 ? 206 : 200, {
        etag,
        'content-length': content.length - from,
        ...(from > 0 && { 'content-range': `bytes ${from}-${content.length - 1}/${content.length}` }),
      });
      const body = content.subarray(from);
      if (body.length <= breakAfter) return void response.end(body);
      response.write(body.subarray(0, breakAfter));
      this.cutAt(from + breakAfter, response);
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((closed) => this.#server.close(closed));
    await rm(this.folder, { recursive: true });
  }
}
