import type { MessagePort } from 'node:worker_threads';
import { BusyError, OutageError } from '../../errors.ts';
import { Channel } from '../../threads/channel.ts';
import type { Write, Writer, Written } from '../writer.ts';
import { Revisions } from './revisions.ts';
import type { ClientCalls } from './writer-thread.ts';

/** Rows of one thread that may wait for the writer; more are refused. */
export const MAX_WAITING_ROWS = 20_000;

export interface WriterClientPorts {
  readonly port: MessagePort;
  /** Called once with the reason when writing becomes impossible, and once with undefined when it is possible again. */
  readonly onChange?: (trouble: string | undefined) => void;
}

/** One thread's connection to the writer. */
export class WriterClient implements Writer {
  readonly #port: MessagePort;
  readonly #channel: Channel<ClientCalls>;
  readonly #onChange: (trouble: string | undefined) => void;
  #isInTrouble = false;
  #isOpen = true;
  #revisions: Revisions | undefined;

  constructor({ port, onChange = () => {} }: WriterClientPorts) {
    this.#port = port;
    this.#onChange = onChange;
    port.on('close', () => {
      this.#isOpen = false;
    });
    this.#channel = new Channel({ port, maxWaiting: MAX_WAITING_ROWS, isUnrefIdle: true });
    this.#channel.call('revisions', undefined, { weight: 0 }).then(
      (memory) => {
        this.#revisions = new Revisions({ memory });
      },
      // The writer has ended, which each write is told.
      () => {},
    );
  }

  write<Row>(write: Write): Promise<Written<Row>> {
    const weight = Math.max(...write.statements.map(({ runs }) => runs.length));
    const written = this.#channel.call('write', write, { weight });
    written.then(
      () => this.#notice(undefined),
      (error) => {
        // A write that failed for a reason of its own says nothing about the disk, nor does the end of the writer.
        const isOutage = error instanceof OutageError && !(error instanceof BusyError);
        if (isOutage && this.#isOpen) this.#notice(error.message);
      },
    );
    return written as Promise<Written<Row>>;
  }

  /** Undefined until the writer has sent the memory that it counts in. */
  revision(name: string): number | undefined {
    return this.#revisions?.of(name);
  }

  close(): void {
    this.#port.close();
  }

  #notice(trouble: string | undefined): void {
    const isInTrouble = trouble !== undefined;
    if (isInTrouble === this.#isInTrouble) return;
    this.#isInTrouble = isInTrouble;
    this.#onChange(trouble);
  }
}
