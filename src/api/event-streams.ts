import { AppError } from '@larder/core/errors.ts';
import type { Log } from '../base/log.ts';
import type { AnswerStream, Reply } from './operation.ts';

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

export interface EventStreamsOptions {
  readonly log: Log;
  readonly heartbeatMs?: number;
}

export interface StreamMessage {
  /** Position from which a reader resumes. */
  readonly id: string | number;
  /** JSON. */
  readonly data: string;
}

export interface StreamRequest {
  /** Ends with the last message, or when the signal is aborted. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<StreamMessage>;
  /** Names stream and reader in the log. */
  readonly about: Readonly<Record<string, string>>;
}

interface EventStreamOptions {
  readonly request: StreamRequest;
  readonly answer: AnswerStream;
  readonly log: EventStreamsOptions['log'];
}

/** The streams of one thread, in the form of Server-Sent Events (https://html.spec.whatwg.org/#server-sent-events). */
export class EventStreams {
  readonly #log: EventStreamsOptions['log'];
  readonly #heartbeats: Heartbeats;
  readonly #open = new Set<EventStream>();

  constructor({ log, heartbeatMs = HEARTBEAT_MS }: EventStreamsOptions) {
    this.#log = log;
    this.#heartbeats = new Heartbeats({ intervalMs: heartbeatMs });
  }

  get size(): number {
    return this.#open.size;
  }

  /** The reply that is the stream. Throws `unavailable` where too many are open. */
  reply(request: StreamRequest): Reply {
    if (this.#open.size >= MAX_STREAMS)
      throw new AppError({ code: 'unavailable', message: 'Too many streams are open; poll instead.' });
    return {
      // Keeps proxies from holding messages back.
      headers: { 'x-accel-buffering': 'no' },
      body: (answer) => this.open(request, answer),
    };
  }

  /** Writes the stream into an answer whose head is written, and ends it. */
  open(request: StreamRequest, answer: AnswerStream): void {
    // The client has left already, so no `close` event would ever free its place.
    if (answer.destroyed) return;
    const stream = new EventStream({ request, answer, log: this.#log });
    const stopBeating = this.#heartbeats.add(stream);
    this.#open.add(stream);
    answer.once('close', () => {
      stream.end();
      stopBeating();
      this.#open.delete(stream);
    });
    void stream.follow();
  }

  /** Ends all streams, each after a whole message; clients come back elsewhere. */
  close(): void {
    for (const stream of this.#open) stream.end();
  }
}

class EventStream {
  readonly #request: StreamRequest;
  readonly #answer: AnswerStream;
  readonly #log: EventStreamsOptions['log'];
  readonly #abort = new AbortController();
  #unreadBeats = 0;

  constructor({ request, answer, log }: EventStreamOptions) {
    this.#request = request;
    this.#answer = answer;
    this.#log = log;
    answer.write(`retry: ${RETRY_MS}\n\n`);
  }

  async follow(): Promise<void> {
    const { follow, about } = this.#request;
    try {
      for await (const { id, data } of follow(this.#abort.signal)) {
        if (this.#answer.destroyed) return;
        this.#answer.write(`id: ${id}\ndata: ${data}\n\n`);
      }
      if (!this.#answer.destroyed) this.#answer.end();
    } catch (err) {
      this.#log.error({ err, ...about }, 'a stream broke');
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
    this.#log.warn(this.#request.about, 'a stream was dropped, since nobody reads it');
    this.#answer.destroy();
  }

  end(): void {
    this.#abort.abort();
  }
}
