import { Agent, request } from 'node:http';
import type { History } from '../history.ts';

/** The result of one request, as the beginning of a record. */
export interface Asked {
  readonly startMs: number;
  readonly endMs: number;
  /** 0 without a complete response in time. */
  readonly status: number;
  readonly code?: string;
  readonly etag?: string;
  // biome-ignore lint/suspicious/noExplicitAny: what was answered is what is tested
  readonly json?: any;
}

export interface Question {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly timeoutMs?: number;
}

/** Longer than any request may take during an outage. */
const TIMEOUT_MS = 20_000;
const agent = new Agent({ keepAlive: true });

/** Sends one request; nothing is repeated or redirected without being recorded. */
export function ask(
  history: Pick<History, 'nowMs'>,
  url: string,
  { method = 'GET', headers = {}, body, timeoutMs = TIMEOUT_MS }: Question = {},
): Promise<Asked> {
  const startMs = history.nowMs();
  return new Promise((resolve) => {
    const end = (outcome: Omit<Asked, 'startMs' | 'endMs'>) => {
      clearTimeout(timer);
      resolve({ startMs, endMs: history.nowMs(), ...outcome });
    };
    const outgoing = request(url, { method, headers, agent }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.once('end', () =>
        end(toOutcome(answer.statusCode!, answer.headers.etag, Buffer.concat(chunks))),
      );
      answer.once('error', ({ message }) => end({ status: 0, code: message }));
    });
    const timer = setTimeout(() => outgoing.destroy(new Error(`nothing within ${timeoutMs} ms`)), timeoutMs);
    outgoing.once('error', ({ message }) => end({ status: 0, code: message }));
    outgoing.end(body);
  });
}

function toOutcome(status: number, etag: string | undefined, body: Buffer): Omit<Asked, 'startMs' | 'endMs'> {
  const json = parse(body.toString());
  return {
    status,
    ...(etag !== undefined && { etag }),
    ...(json !== undefined && { json }),
    ...(json?.error?.code !== undefined && { code: json.error.code }),
  };
}

/** An object store responds with XML. */
function parse(text: string) {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The part of a record that every request has. */
export function noted(client: string, { startMs, endMs, status, code }: Asked) {
  return { client, startMs, endMs, status, ...(code !== undefined && { code }) };
}
