import type { FileHandle } from 'node:fs/promises';

/**
 * An object as one file, so that it is in place in one step: a header of fixed length with its type, then its bytes.
 *
 *     larder object 1\n  image/jpeg\n  zeros up to 256 bytes  the object
 */
export const OBJECT_HEADER_BYTES = 256;
const MAGIC = 'larder object 1';
const CONTENT_TYPE = /^[a-z]+\/[a-z0-9][a-z0-9.+-]{0,99}$/;

/** Writes the object and syncs it to disk. */
export async function writeObject(
  file: FileHandle,
  contentType: string,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  if (!CONTENT_TYPE.test(contentType)) throw new Error(`${JSON.stringify(contentType)} is no content type`);
  const header = Buffer.alloc(OBJECT_HEADER_BYTES);
  header.write(`${MAGIC}\n${contentType}\n`, 'latin1');
  await file.writeFile(header);
  // Continues behind the header: writeFile begins at the file's current position.
  await file.writeFile(body);
  await file.sync();
}

/** Throws for a file that is not an object. */
export async function readHeader(
  file: FileHandle,
): Promise<{ contentType: string; sizeBytes: number; storedAtMs: number }> {
  const header = Buffer.alloc(OBJECT_HEADER_BYTES);
  const { bytesRead } = await file.read(header, 0, OBJECT_HEADER_BYTES, 0);
  const [magic, contentType] = header.toString('latin1').split('\n', 2);
  if (bytesRead < OBJECT_HEADER_BYTES || magic !== MAGIC) throw new Error('the file is no object');
  return { contentType: contentType!, ...toListed(await file.stat()) };
}

/** The metadata of an object that the file system provides. */
export function toListed({ size, mtimeMs }: { size: number; mtimeMs: number }) {
  return { sizeBytes: size - OBJECT_HEADER_BYTES, storedAtMs: Math.floor(mtimeMs / 1000) * 1000 };
}
