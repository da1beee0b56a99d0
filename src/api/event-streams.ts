import { AppError } from '@larder/core/errors.ts';
import type { Log } from '../base/log.ts';
import type { AnswerStream, Reply } from './operation.ts';

/** Number of parts of the interval; the heartbeats of all streams in a part are sent together. */
const SLOTS = 15;

export interface HeartbeatSender {
  /** Called once in every interval. */
  beat(): void;
}

/**
 * Sends heartbeats for thousands of streams with one timer, each stream in its part of the interval. The
 * timer runs only while there are streams.
 */
class Heartbeats {
  readonly #slots: readonly Set<HeartbeatSender>[] = Array.from({ length: SLOTS }, () => new Set());
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  #turn = 0;

  constructor({ intervalMs }: { intervalMs: number }) {
    this.#intervalMs = intervalMs;
  }

  /** Starts calling the heartbeat, first after one whole interval, until the returned function is called. */
  add(beating: HeartbeatSender): () => void {
    // The most recently served slot has the longest time until its next turn.
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
/** Time after which a client should reconnect. */
const RETRY_MS = 2_000;
/** Maximum unread heartbeats before the reader is disconnected. */
const MAX_UNREAD_BEATS = 2;
/** Maximum streams per thread; a stream costs some kilobytes. */
const MAX_STREAMS = 10_000;

export interface EventStreamsOptions {
  readonly log: Log;
  readonly heartbeatMs?: number;
}

export interface StreamMessage {
  /** Position at which a reader resumes. */
  readonly id: string | number;
  /** JSON. */
  readonly data: string;
}

export interface StreamRequest {
  /** The iteration ends with the last message, or when the signal is aborted. */
  readonly follow: (signal: AbortSignal) => AsyncIterable<StreamMessage>;
  /** Rejects with an AppError once the reader may not read any more: called before each message and with each heartbeat. */
  readonly recheck: () => Promise<void>;
  /** Identifies stream and reader in the log. */
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

  /** Returns the reply that is the stream. Throws `unavailable` if too many are open. */
  reply(request: StreamRequest): Reply {
    if (this.#open.size >= MAX_STREAMS)
      throw new AppError({ code: 'unavailable', message: 'Too many streams are open; poll instead.' });
    return {
      // Prevents proxies from buffering messages.
      headers: { 'x-accel-buffering': 'no' },
      body: (answer) => this.open(request, answer),
    };
  }

  /** Writes the stream to a response whose head is already written, and ends it. */
  open(request: StreamRequest, answer: AnswerStream): void {
    // The client has already left, so no `close` event would free its place.
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

  /** Ends all streams, each after a complete message; clients reconnect to another thread or node. */
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
        if (!(await this.#isAllowed())) return this.#finish();
        if (this.#answer.destroyed) return;
        this.#answer.write(`id: ${id}\ndata: ${data}\n\n`);
      }
      this.#finish();
    } catch (err) {
      this.#log.error({ err, ...about }, 'a stream broke');
      this.#answer.destroy();
    }
  }

  /** Ends the stream when the reader's credential has ended, also between messages. */
  beat(): void {
    this.#isAllowed().then(
      (isAllowed) => (isAllowed ? this.#beat() : this.#finish()),
      // An outage ends no stream: the next message is checked again.
      () => this.#beat(),
    );
  }

  #beat(): void {
    if (this.#answer.destroyed) return;
    const isUnread = this.#answer.writableLength > 0;
    this.#unreadBeats = isUnread ? this.#unreadBeats + 1 : 0;
    if (this.#unreadBeats < MAX_UNREAD_BEATS) {
      this.#answer.write(': heartbeat\n\n');
      return;
    }
    this.#log.warn(this.#request.about, 'a stream was closed, because its reader stopped reading');
    this.#answer.destroy();
  }

  end(): void {
    this.#abort.abort();
  }

  async #isAllowed(): Promise<boolean> {
    try {
      await this.#request.recheck();
      return true;
    } catch (error) {
      if (error instanceof AppError && error.code !== 'unavailable') return false;
      throw error;
    }
  }

  #finish(): void {
    this.#abort.abort();
    if (!this.#answer.destroyed) this.#answer.end();
  }
}
