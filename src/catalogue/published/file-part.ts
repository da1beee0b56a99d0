import type { FileHandle } from 'node:fs/promises';

/** The bytes of a range, fewer where the file ends before. */
export async function readFilePart(
  handle: FileHandle,
  { offset, length }: { readonly offset: number; readonly length: number },
): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length);
  let done = 0;
  while (done < length) {
    const { bytesRead } = await handle.read(bytes, done, length - done, offset + done);
    if (bytesRead === 0) break;
    done += bytesRead;
  }
  return bytes.subarray(0, done);
}
