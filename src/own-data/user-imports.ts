import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@larder/core/errors.ts';
import { Reading, type RecordKind } from './import/reading.ts';
import { RecordWriter, type Stopped, type WriterPorts, type Written } from './import/record-writer.ts';
import { type ImportFormat, type ReadOptions, readUserFile } from './read-user-file.ts';
import type { ReadDraft } from './records/food-record.ts';
import { MAX_FILE_BYTES } from './tables/table-limits.ts';

/** Imports of one thread at one time: each holds its file in memory. */
const MAX_AT_ONCE = 4;

export interface UserImportsOptions extends WriterPorts {
  readonly readDraft: ReadDraft;
}

export interface ImportRequest extends Omit<ReadOptions, 'readDraft' | 'pause' | 'nowMs'> {
  readonly isPreview: boolean;
  /** Throws where the caller may not write the foods that the file has. */
  readonly admitFoods: () => void;
}

export interface ImportOutcome {
  readonly format: ImportFormat;
  readonly reading: Reading;
  readonly written: Readonly<Record<RecordKind, Written>>;
  readonly stopped: Stopped | undefined;
}

/** Imports of files with the data of users. */
export class UserImports {
  readonly #options: UserImportsOptions;
  readonly #running = new Set<string>();

  constructor(options: UserImportsOptions) {
    this.#options = options;
  }

  /** Reads a file and writes what is new of it. Throws `unavailable` while another import of the user runs. */
  async run(
    body: AsyncIterable<Buffer>,
    { owner, isPreview, admitFoods, ...request }: ImportRequest,
  ): Promise<ImportOutcome> {
    const name = `${owner.tenant}\n${owner.userId}`;
    if (this.#running.has(name) || this.#running.size >= MAX_AT_ONCE) throw busy();
    this.#running.add(name);
    try {
      const bytes = await receive(body);
      const { readDraft, nowMs } = this.#options;
      const reading = new Reading();
      const options = { ...request, owner, readDraft, nowMs: nowMs(), pause: () => nextTurn() };
      const format = await readUserFile(bytes, reading, options);
      if (reading.records.foods.length > 0) admitFoods();
      const writer = new RecordWriter(this.#options, { owner, reading, isPreview });
      await writer.write();
      return { format, reading, written: writer.written, stopped: writer.stopped };
    } finally {
      this.#running.delete(name);
    }
  }
}

async function receive(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of body) {
    bytes += piece.length;
    if (bytes > MAX_FILE_BYTES) throw tooLarge();
    pieces.push(piece);
  }
  return Buffer.concat(pieces, bytes);
}

function tooLarge(): AppError {
  return new AppError({
    code: 'payload_too_large',
    message: `The file is larger than ${MAX_FILE_BYTES} bytes; divide it, for example by year.`,
    details: { limitBytes: MAX_FILE_BYTES },
  });
}

function busy(): AppError {
  return new AppError({
    code: 'unavailable',
    message: 'Another import is running; try again when it has ended.',
    details: { reason: 'busy' },
  });
}
