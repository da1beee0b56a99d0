import { readFoodDraft } from '../../api/foods/food-input.ts';
import {
  noCounts,
  type ReadingSummary,
  type ReadRecord,
  type RecordKind,
} from '../../own-data/import/reading.ts';
import { type FileContent, type FileTask, readOwnFile } from '../../own-data/read-own-file.ts';
import { lowerProcessPriority, serveParent } from '../../threads/parent.ts';

/** Records in one answer: an API thread takes two to three milliseconds to receive them. */
const RECORDS_AT_ONCE = 500;

/** The calls of an API thread to the thread that reads a file. */
export interface FileReaderCalls {
  read(file: { readonly bytes: Uint8Array; readonly task: FileTask }): Promise<{
    readonly format: FileContent['format'];
    readonly summary: ReadingSummary;
  }>;
  /** The next records of a kind; none after the last. */
  take(kind: RecordKind): readonly ReadRecord<RecordKind>[];
}

lowerProcessPriority();

/** The program of a thread that reads files that people send, one after the other. */
serveParent<undefined, Record<never, never>>(async () => {
  let content: FileContent | undefined;
  let taken = noCounts();
  return {
    async read({ bytes, task }) {
      taken = noCounts();
      content = await readOwnFile(
        Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length),
        task,
        readFoodDraft,
      );
      return { format: content.format, summary: content.reading.summary };
    },
    take(kind) {
      const from = taken[kind];
      taken[kind] += RECORDS_AT_ONCE;
      return content!.reading.records[kind].slice(from, from + RECORDS_AT_ONCE);
    },
  } satisfies FileReaderCalls;
});
