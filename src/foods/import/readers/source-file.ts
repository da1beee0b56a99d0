import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { basename } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip, gunzipSync, constants as zlibConstants } from 'node:zlib';
import { OperatorError } from '@larder/core/errors.ts';
import { readError } from '../../../files/file-errors.ts';
import { headAsUtf8 } from './utf8.ts';

/** The content type, detected by the first bytes after decompression, never by name. */
export type SourceContent = 'parquet' | 'zip' | 'json' | 'text' | 'binary' | 'empty';

/** A file that was checked and can be read from the start any number of times. */
export interface SourceFile {
  readonly path: string;
  /** The last part of the path, for messages and reports. */
  readonly name: string;
  /** Size on disk, compressed if the file is. */
  readonly sizeBytes: number;
  readonly gzipped: boolean;
  readonly content: SourceContent;
  /** The first bytes after decompression, at most `HEAD_BYTES`; of a text as UTF-8. */
  readonly head: Buffer;
}

/** Called with the bytes read from disk so far. */
export type OnBytesRead = (bytesRead: number) => void;

/** Options of every reader of a source. */
export interface ReadOptions {
  readonly onBytesRead?: OnBytesRead;
  readonly signal?: AbortSignal;
}

const HEAD_BYTES = 64 * 1024;
const DISK_CHUNK_BYTES = 1024 * 1024;
const GUNZIP_CHUNK_BYTES = 512 * 1024;

/** Checks a file. Throws an `OperatorError` if it is missing, not a file, unreadable or broken gzip. */
export async function inspectSourceFile(path: string): Promise<SourceFile> {
  const name = basename(path);
  const handle = await openForReading(path);
  try {
    const stat = await handle.stat();
    if (stat.isDirectory()) throw readError(path, { code: 'EISDIR' });
    const start = Buffer.alloc(Math.min(HEAD_BYTES, stat.size));
    const { bytesRead } = await handle.read(start, 0, start.length, 0);
    const first = start.subarray(0, bytesRead);
    const gzipped = first[0] === 0x1f && first[1] === 0x8b;
    const bytes = gzipped ? gunzipHead(path, first) : first;
    const { content, head } = contentOf(bytes);
    return { path, name, sizeBytes: stat.size, gzipped, content, head };
  } finally {
    await handle.close();
  }
}

/**
 * The decompressed bytes, in chunks of at most 1 MiB. An incomplete or damaged gzip file throws an `OperatorError`
 * after its readable part.
 */
export async function* readSourceFile(
  file: SourceFile,
  onBytesRead?: OnBytesRead,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  const disk = createReadStream(file.path, { highWaterMark: DISK_CHUNK_BYTES });
  const stream = file.gzipped
    ? // The iteration below reports any failure; `pipeline` only ends both streams together.
      pipeline(disk, createGunzip({ chunkSize: GUNZIP_CHUNK_BYTES }), () => {})
    : disk;
  try {
    for await (const chunk of stream) {
      signal?.throwIfAborted();
      onBytesRead?.(disk.bytesRead);
      yield chunk as Buffer;
    }
  } catch (error) {
    throw gzipError(file.path, error);
  } finally {
    disk.destroy();
  }
}

async function openForReading(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r');
  } catch (error) {
    throw readError(path, error);
  }
}

/** The error for text that ends within a line. */
export function truncatedFile(file: string): OperatorError {
  return new OperatorError(
    `${file} ends in the middle of a line: its copy or download is incomplete. Get it again.`,
  );
}

/** Converts the error of decompressing or reading a file. */
function gzipError(path: string, error: unknown): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === undefined || !code.startsWith('Z_')) return readError(path, error);
  return new OperatorError(
    `${path} ${GZIP_ERRORS[code] ?? `cannot be decompressed (${code}). Get it again.`}`,
    {
      cause: error,
    },
  );
}

const GZIP_ERRORS: Readonly<Record<string, string>> = {
  Z_BUF_ERROR: 'ends in the middle of its gzip data: it is incomplete. Get it again.',
  Z_DATA_ERROR: 'holds damaged gzip data. Get it again.',
};

/** Decompresses the available start of a gzip file. */
function gunzipHead(path: string, start: Buffer): Buffer {
  try {
    return gunzipSync(start, { finishFlush: zlibConstants.Z_SYNC_FLUSH }).subarray(0, HEAD_BYTES);
  } catch (error) {
    throw gzipError(path, error);
  }
}

const MAGIC: ReadonlyArray<readonly [SourceContent, string]> = [
  ['parquet', 'PAR1'],
  ['zip', 'PK\x03\x04'],
];

function contentOf(bytes: Buffer): Pick<SourceFile, 'content' | 'head'> {
  if (bytes.length === 0) return { content: 'empty', head: bytes };
  const start = bytes.toString('latin1', 0, 4);
  const magic = MAGIC.find(([, magicBytes]) => start.startsWith(magicBytes));
  if (magic !== undefined) return { content: magic[0], head: bytes };
  const head = headAsUtf8(bytes);
  if (head === undefined) return { content: 'binary', head: bytes };
  const first = head
    .toString('utf8', 0, 4096)
    .replace(/^\uFEFF/, '')
    .trimStart()[0];
  return { content: first === '{' || first === '[' ? 'json' : 'text', head };
}
