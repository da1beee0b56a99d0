import type { Logger } from 'pino';
import { createLogger } from '../../src/app/processes/logger.ts';
import type { LogLevel } from '../../src/config/settings.ts';

export interface LoggedLine {
  readonly level: LogLevel;
  readonly msg: string;
  readonly catalogue?: unknown;
}

interface Waiting {
  readonly isIt: (line: LoggedLine) => boolean;
  readonly resolve: () => void;
}

/** A logger whose lines a test can read and await. */
export class MemoryLog {
  readonly lines: string[] = [];
  readonly logger: Logger;
  #waiting: Waiting[] = [];

  constructor(level: LogLevel = 'debug') {
    this.logger = createLogger({ level, destination: { write: (line) => this.#write(line) } });
  }

  messages(level: LogLevel): string[] {
    return this.#parsed().flatMap((line) => (line.level === level ? [line.msg] : []));
  }

  /** Resolves when such a line has been written, now or earlier. */
  until(isIt: Waiting['isIt']): Promise<void> {
    if (this.#parsed().some(isIt)) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ isIt, resolve }));
  }

  #parsed(): LoggedLine[] {
    return this.lines.map((line) => JSON.parse(line));
  }

  #write(text: string): void {
    this.lines.push(text);
    const line: LoggedLine = JSON.parse(text);
    for (const { resolve } of this.#waiting.filter(({ isIt }) => isIt(line))) resolve();
    this.#waiting = this.#waiting.filter(({ isIt }) => !isIt(line));
  }
}
