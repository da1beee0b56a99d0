import { connect, type Socket } from 'node:net';

const HEADER_END = Buffer.from('\r\n\r\n');

export interface RawAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/**
 * One keep-alive HTTP/1.1 connection, one request at a time. Minimal, because it shares the machine with the
 * service. Responses need a Content-Length.
 */
export class RawConnection {
  readonly #socket: Socket;
  #received: Buffer = Buffer.alloc(0);
  #settle: { resolve: (answer: RawAnswer) => void; reject: (error: Error) => void } | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true);
    socket.on('data', (chunk) => this.#receive(chunk));
    socket.on('close', () => this.#settle?.reject(new Error('the connection was closed')));
    socket.on('error', (error) => this.#settle?.reject(error));
  }

  static open(url: string): Promise<RawConnection> {
    const { hostname, port } = new URL(url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => resolve(new RawConnection(socket)));
      socket.once('error', reject);
    });
  }

  send(method: string, path: string, headers: string, body = ''): Promise<RawAnswer> {
    const length =
      body === '' ? '' : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`;
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
      this.#socket.write(`${method} ${path} HTTP/1.1\r\nhost: bench\r\n${headers}${length}\r\n${body}`);
    });
  }

  close(): void {
    this.#settle = undefined;
    this.#socket.destroy();
  }

  #receive(chunk: Buffer): void {
    this.#received = this.#received.length === 0 ? chunk : Buffer.concat([this.#received, chunk]);
    const headerEnd = this.#received.indexOf(HEADER_END);
    if (headerEnd === -1) return;
    const head = this.#received.toString('latin1', 0, headerEnd);
    const bodyAt = headerEnd + HEADER_END.length;
    const end = bodyAt + Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end) return;
    const answer = { status: Number(head.slice(9, 12)), body: this.#received.subarray(bodyAt, end) };
    this.#received = this.#received.subarray(end);
    this.#settle?.resolve(answer);
  }
}

/** Processes `jobs` on `connections` connections; returns the milliseconds of each job. */
export async function inParallel<T>(
  url: string,
  connections: number,
  jobs: Iterator<T>,
  work: (connection: RawConnection, job: T) => Promise<void>,
): Promise<number[]> {
  const milliseconds: number[] = [];
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const connection = await RawConnection.open(url);
      for (let next = jobs.next(); !next.done; next = jobs.next()) {
        const startedAt = performance.now();
        await work(connection, next.value);
        milliseconds.push(performance.now() - startedAt);
      }
      connection.close();
    }),
  );
  return milliseconds;
}
