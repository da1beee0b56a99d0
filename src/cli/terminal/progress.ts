import { Presets, SingleBar } from 'cli-progress';
import { count, counted } from '../../base/texts.ts';
import type { ImportProgress } from '../../foods/import/import-progress.ts';
import { printableInLine } from './format.ts';
import type { Terminal } from './terminal.ts';

/** Interval between lines without a terminal. */
const LINE_INTERVAL_MS = 5_000;
/** Minimum time for a meaningful rate. */
const MIN_RATE_MS = 1_000;

export interface ProgressOptions {
  readonly stream: NodeJS.WritableStream;
  /** Draws a bar in place; otherwise prints a line at intervals. */
  readonly isTerminal: boolean;
  /** A clock in milliseconds; only differences count. */
  readonly nowMs: () => number;
}

export function openProgress(terminal: Terminal): ProgressReporter {
  const isTerminal = (terminal.err as NodeJS.WriteStream).isTTY === true;
  return new ProgressReporter({ stream: terminal.err, isTerminal, nowMs: Date.now });
}

/** Shows the current phase: progress, number of foods, rate, remaining time. */
export class ProgressReporter implements ImportProgress {
  readonly #parts: ProgressOptions;
  #bar: SingleBar | undefined;
  #phase: string | undefined;
  #total = 0;
  #done = 0;
  #foods = 0;
  #startedMs = 0;
  #lastLineMs = 0;

  constructor(parts: ProgressOptions) {
    this.#parts = parts;
  }

  begin(phase: string, total: number): void {
    this.end();
    this.#phase = printableInLine(phase);
    this.#total = total;
    this.#done = 0;
    this.#foods = 0;
    this.#startedMs = this.#parts.nowMs();
    this.#lastLineMs = this.#startedMs;
    if (!this.#parts.isTerminal) return;
    this.#bar = new SingleBar(
      { stream: this.#parts.stream, format: '{phase} [{bar}] {text}', barsize: 24, gracefulExit: false },
      Presets.legacy,
    );
    this.#bar.start(Math.max(1, total), 0, { phase: this.#phase, text: '' });
  }

  update(done: number, foods: number): void {
    this.#done = done;
    this.#foods = foods;
    if (this.#bar !== undefined) {
      this.#bar.update(Math.min(done, this.#total), { text: this.#describe() });
      return;
    }
    const now = this.#parts.nowMs();
    if (now - this.#lastLineMs < LINE_INTERVAL_MS) return;
    this.#lastLineMs = now;
    this.#writeLine();
  }

  /** Ends the current phase, if any, with its last figures. */
  end(): void {
    if (this.#phase === undefined) return;
    if (this.#bar === undefined) this.#writeLine();
    else this.#bar.stop();
    this.#bar = undefined;
    this.#phase = undefined;
  }

  #writeLine(): void {
    this.#parts.stream.write(`${this.#phase}: ${this.#describe()}\n`);
  }

  #describe(): string {
    const elapsedMs = this.#parts.nowMs() - this.#startedMs;
    const isDone = this.#done >= this.#total;
    const parts = [`${Math.floor((100 * this.#done) / Math.max(1, this.#total, this.#done))} %`];
    if (this.#foods > 0) parts.push(counted(this.#foods, 'food'));
    if (this.#foods > 0 && elapsedMs >= MIN_RATE_MS) {
      parts.push(`${count(Math.round((this.#foods * 1_000) / elapsedMs))}/s`);
    }
    if (isDone) parts.push(formatDuration(elapsedMs));
    else if (elapsedMs >= MIN_RATE_MS && this.#done > 0) {
      parts.push(`${formatDuration((elapsedMs / this.#done) * (this.#total - this.#done))} left`);
    }
    return parts.join(', ');
  }
}

/** Formats "8 s", "12 min", "1 h 5 min". */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 100) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
