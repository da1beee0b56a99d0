import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import type { DiskReserve } from './disk-reserve.ts';
import { fileError } from './file-errors.ts';

const BUFFER_BYTES = 1 << 20;
const MAX_ALIGNMENT = 64;
const ZEROS = new Uint8Array(MAX_ALIGNMENT);

/** The disk that a file is written to, of which a part must stay free. */
export type WriterDisk = Pick<DiskReserve, 'requireRoomNow'>;

/**
 * Writes a file atomically: under a temporary name, synced, then renamed. Writes are synchronous and
 * buffered, so that a caller can pass millions of small parts.
 */
export class AtomicFileWriter {
  readonly #file: string;
  readonly #disk: WriterDisk | undefined;
  readonly #fd: number;
  readonly #buffer = Buffer.allocUnsafe(BUFFER_BYTES);
  #buffered = 0;
  #flushed = 0;
  #checksum = 0;
  #open = true;

  /** Opens `file` with `.tmp` appended to its name; a file left from a crash is overwritten. */
  static open(file: string, disk?: WriterDisk): AtomicFileWriter {
    try {
      return new AtomicFileWriter({ file, disk, fd: openSync(temporaryName(file), 'w') });
    } catch (error) {
      throw fileError(`Cannot write ${file}`, error);
    }
  }

  private constructor({ file, disk, fd }: { file: string; disk: WriterDisk | undefined; fd: number }) {
    this.#file = file;
    this.#disk = disk;
    this.#fd = fd;
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#flushed + this.#buffered;
  }

  /** CRC-32 of all bytes written since the start or the last `restartChecksum`. */
  checksum(): number {
    this.#flush();
    return this.#checksum;
  }

  restartChecksum(): void {
    this.#flush();
    this.#checksum = 0;
  }

  write(bytes: Uint8Array): void {
    if (bytes.length > BUFFER_BYTES - this.#buffered) this.#flush();
    if (bytes.length > BUFFER_BYTES) {
      for (let at = 0; at < bytes.length; at += BUFFER_BYTES) {
        this.#writeOut(bytes.subarray(at, at + BUFFER_BYTES), this.#flushed);
      }
      return;
    }
    this.#buffer.set(bytes, this.#buffered);
    this.#buffered += bytes.length;
  }

  u32(value: number): void {
    if (BUFFER_BYTES - this.#buffered < 4) this.#flush();
    this.#buffer.writeUInt32LE(value, this.#buffered);
    this.#buffered += 4;
  }

  /** Pads with zeros to a multiple of `alignment`, at most 64. */
  align(alignment: number): void {
    const missing = (alignment - (this.length % alignment)) % alignment;
    if (missing > 0) this.write(ZEROS.subarray(0, missing));
  }

  /** Overwrites the beginning of the file without changing the checksum. */
  writeAtStart(bytes: Uint8Array): void {
    this.#flush();
    this.#guarded(() => writeFully(this.#fd, bytes, 0));
  }

  /** Renames the file to its final name and closes the writer. */
  async finish(): Promise<void> {
    this.#flush();
    this.#guarded(() => fsyncSync(this.#fd));
    this.#close();
    this.#guarded(() => renameSync(temporaryName(this.#file), this.#file));
    await syncFolder(dirname(this.#file));
  }

  /** Deletes the temporary file. Does nothing after `finish`. */
  discard(): void {
    if (!this.#open) return;
    this.#close();
    rmSync(temporaryName(this.#file), { force: true });
  }

  #flush(): void {
    if (this.#buffered === 0) return;
    const bytes = this.#buffer.subarray(0, this.#buffered);
    this.#buffered = 0;
    this.#writeOut(bytes, this.#flushed);
  }

  /** Checks the free disk before each mebibyte. */
  #writeOut(bytes: Uint8Array, position: number): void {
    this.#disk?.requireRoomNow(basename(this.#file));
    this.#guarded(() => writeFully(this.#fd, bytes, position));
    this.#checksum = crc32(bytes, this.#checksum);
    this.#flushed += bytes.length;
  }

  #guarded(action: () => void): void {
    try {
      action();
    } catch (error) {
      throw fileError(`Cannot write ${this.#file}`, error);
    }
  }

  #close(): void {
    this.#open = false;
    closeSync(this.#fd);
  }
}

export function temporaryName(file: string): string {
  return `${file}.tmp`;
}

/** Makes renames in the folder survive a power failure. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; ) {
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
  }
}
