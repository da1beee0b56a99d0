import { writeFileSync } from 'node:fs';
import type { HistoryRecord } from './history-record.ts';

/** Collects the records of a run. */
export class History {
  readonly records: HistoryRecord[] = [];
  readonly #beganAtMs = performance.now();

  /** Milliseconds since the run began. */
  nowMs(): number {
    return performance.now() - this.#beganAtMs;
  }

  note(record: HistoryRecord): void {
    this.records.push(record);
  }

  /** One record a line, in the order of their ends. */
  write(file: string): void {
    writeFileSync(file, this.records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  }
}
