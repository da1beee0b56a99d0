import { AppError } from '@larder/core/errors.ts';
import { Places } from '../base/places.ts';
import { MAX_FILE_BYTES } from '../foods/import/table/table-limits.ts';
import type { FoodTableTask } from './foods/food-table.ts';
import type { Reading, RecordKind } from './import/reading.ts';
import type { StopReason, WriterPorts, WrittenCounts } from './import/record-writer.ts';
import type { FileContent, FileTask } from './read-own-file.ts';
import type { UserFileTask } from './read-user-file.ts';

/** Maximum concurrent imports of one thread, of one tenant and of one user: each holds its file in memory. */
const IMPORTS = { all: 4, each: [2, 1] };
/** Maximum bytes of files that one thread receives, and of those of one tenant. A file that trickles in takes little of it. */
const RECEIVED_BYTES = { all: 8 * MAX_FILE_BYTES, each: [3 * MAX_FILE_BYTES] };
/** Bytes that a piece of a body takes in memory, however small it is. */
const MIN_PIECE_BYTES = 256;

export interface UserImportsOptions extends WriterPorts {
  /** Reads a file outside of this thread; the bytes are moved. */
  readonly readFile: (bytes: Uint8Array<ArrayBuffer>, task: FileTask) => Promise<FileContent>;
}

interface Wanted {
  readonly isPreview: boolean;
}

export interface UserImportRequest extends Omit<UserFileTask, 'nowMs'>, Wanted {
  /** Throws if the caller may not write the foods in the file. */
  readonly admitFoods: () => void;
}

export interface ImportOutcome {
  readonly format: FileContent['format'];
  readonly reading: Reading;
  readonly written: Readonly<Record<RecordKind, WrittenCounts>>;
  readonly stopped: StopReason | undefined;
}

type Body = AsyncIterable<Buffer>;

/**
 * Imports files with the data of users. A place is taken when a file is there, so that slow senders keep nobody from
 * importing. The first file loads the code, because most services import nothing.
 */
export class UserImports {
  readonly #options: UserImportsOptions;
  readonly #running = new Places(IMPORTS);
  readonly #received = new Places(RECEIVED_BYTES);

  constructor(options: UserImportsOptions) {
    this.#options = options;
  }

  /** Reads a file and writes its new records. Throws `unavailable` while another import of the user runs. */
  async run(body: Body, { isPreview, admitFoods, ...task }: UserImportRequest): Promise<ImportOutcome> {
    const { owner } = task;
    return this.#import(body, { kind: 'user', ...task, nowMs: this.#options.nowMs() }, async (reading) => {
      if (reading.records.foods.length > 0) admitFoods();
      const { RecordWriter } = await import('./import/record-writer.ts');
      const writer = new RecordWriter(this.#options, { owner, reading, isPreview });
      await writer.write();
      return writer;
    });
  }

  /** Reads a table of foods and adds the new ones. Throws `unavailable` while another import of the owner runs. */
  async runFoods(
    body: Body,
    { isPreview, ...task }: Omit<FoodTableTask, 'nowMs'> & Wanted,
  ): Promise<ImportOutcome> {
    const { customFoods } = this.#options;
    const { owner } = task;
    return this.#import(body, { kind: 'foods', ...task, nowMs: this.#options.nowMs() }, async (reading) => {
      const { writeFoods } = await import('./foods/write-foods.ts');
      return writeFoods(reading, { customFoods, owner, isPreview });
    });
  }

  async #import(
    body: Body,
    task: FileTask,
    write: (reading: Reading) => Promise<Pick<ImportOutcome, 'written' | 'stopped'>>,
  ): Promise<ImportOutcome> {
    const { tenant, userId = '' } = task.owner;
    const received: (() => void)[] = [];
    try {
      const bytes = await this.#receive(body, tenant, received);
      const leave = this.#running.take([tenant, `${tenant}\n${userId}`]);
      if (leave === undefined) throw busy();
      received.push(leave);
      const { format, reading } = await this.#options.readFile(bytes, task);
      const { written, stopped } = await write(reading);
      return { format, reading, written, stopped };
    } finally {
      for (const free of received) free();
    }
  }

  async #receive(body: Body, tenant: string, taken: (() => void)[]): Promise<Uint8Array<ArrayBuffer>> {
    const pieces: Buffer[] = [];
    let sizeBytes = 0;
    for await (const piece of body) {
      sizeBytes += piece.length;
      if (sizeBytes > MAX_FILE_BYTES) throw tooLarge();
      const free = this.#received.take([tenant], Math.max(piece.length, MIN_PIECE_BYTES));
      if (free === undefined) throw busy();
      taken.push(free);
      pieces.push(piece);
    }
    const bytes = new Uint8Array(sizeBytes);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }
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
    message: 'Other imports are running; try again when they have ended.',
    details: { reason: 'busy' },
  });
}
