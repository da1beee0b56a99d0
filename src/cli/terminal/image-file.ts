import { createReadStream } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { OperatorError } from '../../errors.ts';
import { fileError } from '../../files/file-errors.ts';
import { MAX_OBJECT_BYTES } from '../../objects/object-store.ts';

/** Why a file could not even be read. */
export interface UnreadFile {
  readonly code: 'file_unreadable';
  /** One sentence for whoever named it. */
  readonly message: string;
}

/** The bytes of a file, but at most one more than an image may have: enough to refuse what is larger, be it endless. */
export async function readImageFile(file: string): Promise<Buffer<ArrayBuffer> | UnreadFile> {
  try {
    return await buffer(createReadStream(file, { end: MAX_OBJECT_BYTES }));
  } catch (error) {
    const reason = fileError('The file cannot be read', error);
    if (!(reason instanceof OperatorError)) throw error;
    return { code: 'file_unreadable', message: reason.message };
  }
}
