import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@larder/core/errors.ts';
import type { FoodTableOptions } from './foods/food-table.ts';
import { Reading, type RecordKind } from './import/reading.ts';
import type { StopReason, WriterPorts, WrittenCounts } from './import/record-writer.ts';
import type { ImportFormat } from './import-options.ts';
import type { ReadOptions } from './read-user-file.ts';
import type { ReadDraft } from './records/food-record.ts';
import { MAX_FILE_BYTES } from './tables/table-limits.ts';

/** Maximum concurrent imports of one thread: each holds its file in memory. */
const MAX_AT_ONCE = 4;

export interface UserImportsOptions extends WriterPorts {
  readonly readDraft: ReadDraft;
}

export interface ImportRequest extends Omit<ReadOptions, 'readDraft' | 'pause' | 'nowMs'> {
  readonly isPreview: boolean;
  /** Throws if the caller may not write the foods in the file. */
  readonly admitFoods: () => void;
}

export interface ImportOutcome {
  readonly format: ImportFormat | 'foods';
  readonly reading: Reading;
  readonly written: Readonly<Record<RecordKind, WrittenCounts>>;
  readonly stopped: StopReason | undefined;
}

/** Imports files with the data of users. The first file loads the code, because most services import nothing. */
export class UserImports {
  readonly #options: UserImportsOptions;
  readonly #running = new Set<string>();

  constructor(options: UserImportsOptions) {
    this.#options = options;
  }

  /** Reads a file and writes its new records. Throws `unavailable` while another import of the user runs. */
  run(
    body: AsyncIterable<Buffer>,
    { owner, isPreview, admitFoods, ...request }: ImportRequest,
  ): Promise<ImportOutcome> {
    return this.#alone(`${owner.tenant}\n${owner.userId}`, async () => {
      const [{ readUserFile }, { RecordWriter }] = await Promise.all([
        import('./read-user-file.ts'),
        import('./import/record-writer.ts'),
      ]);
      const { readDraft, nowMs } = this.#options;
      const reading = new Reading();
      const options = { ...request, owner, readDraft, nowMs: nowMs(), pause: () => nextTurn() };
      const format = await readUserFile(await receive(body), reading, options);
      if (reading.records.foods.length > 0) admitFoods();
      const writer = new RecordWriter(this.#options, { owner, reading, isPreview });
      await writer.write();
      return { format, reading, written: writer.written, stopped: writer.stopped };
    });
  }

  /** Reads a table of foods and adds the new ones. Throws `unavailable` while another import of the owner runs. */
  runFoods(
    body: AsyncIterable<Buffer>,
    { owner, isPreview, per }: Pick<FoodTableOptions, 'owner' | 'per'> & { readonly isPreview: boolean },
  ): Promise<ImportOutcome> {
    return this.#alone(`${owner.tenant}\n${owner.userId ?? ''}`, async () => {
      const [{ readTableFile }, { openNutrientColumns }, { readFoodTable }, { writeFoods }] =
        await Promise.all([
          import('./read-user-file.ts'),
          import('./tables/nutrient-columns.ts'),
          import('./foods/food-table.ts'),
          import('./foods/write-foods.ts'),
        ]);
      const { readDraft, nowMs, customFoods } = this.#options;
      const reading = new Reading();
      const pause = () => nextTurn();
      const table = await readTableFile(await receive(body), reading, pause);
      const nutrientOf = await openNutrientColumns();
      await readFoodTable(reading, { table, nutrientOf, per, owner, readDraft, nowMs: nowMs(), pause });
      return { format: 'foods', reading, ...(await writeFoods(reading, { customFoods, owner, isPreview })) };
    });
  }

  async #alone<T>(name: string, run: () => Promise<T>): Promise<T> {
    if (this.#running.has(name) || this.#running.size >= MAX_AT_ONCE) throw busy();
    this.#running.add(name);
    try {
      return await run();
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
