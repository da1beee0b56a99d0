import type { Log } from '../../base/log.ts';
import type { ScanFeed, ScanState } from '../../scan/jobs/scan-feed.ts';
import type { ScanRef } from '../../scan/scan-job.ts';
import type { AnswerStream } from '../operation.ts';

/** Parts that the interval is divided into; the streams of one part beat together. */
const SLOTS = 15;

export interface Beating {
  /** Called once in every interval. */
  beat(): void;
}

/** Beats for thousands of streams with one timer, each in its turn of the interval. It runs only while there are any. */
class Heartbeats {
  readonly #slots: readonly Set<Beating>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  #turn = 0;

  constructor({ intervalMs }: { intervalMs: number }) {
    this.#intervalMs = intervalMs;
  }

  /** Begins to beat, first after one whole interval, until the returned function is called. */
  add(beating: Beating): () => void {
    // The slot that had its turn last is the one whose next turn is farthest away.
    const slot = this.#slots[this.#turn]!;
    slot.add(beating);
    this.#count++;
    this.#timer ??= setInterval(() => this.#next(), this.#intervalMs / SLOTS).unref();
    return () => {
      if (!slot.delete(beating) || --this.#count > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  #next(): void {
    this.#turn = (this.#turn + 1) % SLOTS;
    for (const beating of this.#slots[this.#turn]!) beating.beat();
  }
}

export const HEARTBEAT_MS = 15_000;
/** How long a client should wait before it comes back. */
const RETRY_MS = 2_000;
/** Heartbeats that may be unread before the reader is dropped. */
const MAX_UNREAD_BEATS = 2;
/** Per thread; a stream costs some kilobytes. */
const MAX_STREAMS = 10_000;

export interface ScanStreamsOptions {
  readonly feed: ScanFeed;
  readonly log: Log;
  readonly heartbeatMs?: number;
}

export interface StreamRequest {
  readonly scan: ScanRef;
  /** The order of the last state that the client has seen; 0 for none. */
  readonly seenOrder: number;
  /** Names the reader in the log. */
  readonly requestId: string;
  /** The JSON of a message. */
  readonly toMessage: (state: ScanState) => Promise<string>;
}

interface ScanStreamOptions {
  readonly request: StreamRequest;
  readonly answer: AnswerStream;
  readonly log: ScanStreamsOptions['log'];
}

/** The streams of one thread, in the form of Server-Sent Events (https://html.spec.whatwg.org/#server-sent-events). */
export class ScanStreams {
  readonly #feed: ScanFeed;
  readonly #log: ScanStreamsOptions['log'];
  readonly #heartbeats: Heartbeats;
  readonly #open = new Set<ScanStream>();

  constructor({ feed, log, heartbeatMs = HEARTBEAT_MS }: ScanStreamsOptions) {
    this.#feed = feed;
    this.#log = log;
    this.#heartbeats = new Heartbeats({ intervalMs: heartbeatMs });
  }

  get size(): number {
    return this.#open.size;
  }

  /** Whether one more may be opened. */
  get hasRoom(): boolean {
    return this.#open.size < MAX_STREAMS;
  }

  /** Writes the stream into an answer whose head is written, and ends it. */
  open(request: StreamRequest, answer: AnswerStream): void {
    // The client has left already, so no `close` event would ever free its place.
    if (answer.destroyed) return;
    const stream = new ScanStream({ request, answer, log: this.#log });
    const stopBeating = this.#heartbeats.add(stream);
    this.#open.add(stream);
    answer.once('close', () => {
      stream.end();
      stopBeating();
      this.#open.delete(stream);
    });
    void stream.follow(this.#feed);
  }

  /** Ends all streams, each after a whole message; clients come back elsewhere. */
  close(): void {
    for (const stream of this.#open) stream.end();
  }
}

class ScanStream {
  readonly #request: StreamRequest;
  readonly #answer: AnswerStream;
  readonly #log: ScanStreamsOptions['log'];
  readonly #abort = new AbortController();
  #unreadBeats = 0;

  constructor({ request, answer, log }: ScanStreamOptions) {
    this.#request = request;
    this.#answer = answer;
    this.#log = log;
    answer.write(`retry: ${RETRY_MS}\n\n`);
  }

  async follow(feed: ScanFeed): Promise<void> {
    const { scan, seenOrder, toMessage, requestId } = this.#request;
    try {
      for await (const state of feed.watch(scan, seenOrder, this.#abort.signal)) {
        const message = await toMessage(state);
        if (this.#answer.destroyed) return;
        this.#answer.write(`id: ${state.order}\ndata: ${message}\n\n`);
      }
      if (!this.#answer.destroyed) this.#answer.end();
    } catch (err) {
      this.#log.error({ err, requestId }, 'a scan stream broke');
      this.#answer.destroy();
    }
  }

  beat(): void {
    if (this.#answer.destroyed) return;
    const isUnread = this.#answer.writableLength > 0;
    this.#unreadBeats = isUnread ? this.#unreadBeats + 1 : 0;
    if (this.#unreadBeats < MAX_UNREAD_BEATS) {
      this.#answer.write(': heartbeat\n\n');
      return;
    }
    const { requestId, scan } = this.#request;
    this.#log.warn({ requestId, scan: scan.id }, 'a scan stream was dropped, since nobody reads it');
    this.#answer.destroy();
  }

  end(): void {
    this.#abort.abort();
  }
}
