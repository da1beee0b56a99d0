import type { MessagePort } from 'node:worker_threads';
import { BusyError, DamageError, OutageError } from '@larder/core/errors.ts';
import { Channel } from '../../threads/channel.ts';
import type { Write, Writer, Written } from '../writer.ts';
import type { ClientCalls } from './writer-thread.ts';

/** Maximum rows of one thread that wait for the writer; more are rejected. */
export const MAX_WAITING_ROWS = 20_000;

export interface WriterClientPorts {
  readonly port: MessagePort;
  /** Called once with the reason when writing becomes impossible, and once with undefined when it is possible again. */
  readonly onChange?: (trouble: string | undefined) => void;
  /** Called when a write meets damage of the file. */
  readonly onDamage?: (error: DamageError) => void;
}

/** One thread's connection to the writer. */
export class WriterClient implements Writer {
  readonly #port: MessagePort;
  readonly #channel: Channel<ClientCalls>;
  readonly #onChange: (trouble: string | undefined) => void;
  readonly #onDamage: (error: DamageError) => void;
  #isInTrouble = false;
  #isOpen = true;

  constructor({ port, onChange = () => {}, onDamage = () => {} }: WriterClientPorts) {
    this.#onDamage = onDamage;
    this.#port = port;
    this.#onChange = onChange;
    port.on('close', () => {
      this.#isOpen = false;
    });
    this.#channel = new Channel({ port, maxWaiting: MAX_WAITING_ROWS, isUnrefIdle: true });
  }

  async write<Row>(write: Write): Promise<Written<Row>> {
    let weight = 0;
    for (const { runs } of write.statements) weight = Math.max(weight, runs.length);
    try {
      const written = await this.#channel.call('write', write, { weight });
      if (this.#isInTrouble) this.#notice(undefined);
      return written as Written<Row>;
    } catch (error) {
      if (error instanceof DamageError) this.#onDamage(error);
      // A write with an error of its own says nothing about the disk, nor does the end of the writer.
      const isOutage = error instanceof OutageError && !(error instanceof BusyError);
      if (isOutage && !this.#isInTrouble && this.#isOpen) this.#notice(error.message);
      throw error;
    }
  }

  close(): void {
    this.#port.close();
  }

  #notice(trouble: string | undefined): void {
    this.#isInTrouble = trouble !== undefined;
    this.#onChange(trouble);
  }
}
