import { type FileHandle, open } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { counted } from '../../base/texts.ts';
import { readError } from '../../files/file-errors.ts';
import {
  type CatalogueDirectory,
  damagedCatalogue,
  FACTS_PREFIX,
  HEADER_BYTES,
  type Header,
  parseDirectory,
  parseHeader,
  type Section,
  wrongVersion,
} from './catalogue-file.ts';
import type { CatalogueInfo } from './catalogue-info.ts';
import { isReadableCatalogue } from './format.ts';

const CHUNK_BYTES = 4 << 20;
/** Concurrent reads, so that reading and verifying overlap. */
const READS_AHEAD = 4;

export interface LoadOptions {
  /** Prefix of sections that are not read: they are zeros, which take no memory while nothing is written there. */
  readonly leftOut?: string | undefined;
}

/**
 * Reads a catalogue into shared memory and verifies every byte, except those of facts, which stay in the file. Throws an `OperatorError` if the file is damaged, cut
 * off, of another version or not a catalogue.
 */
export async function loadCatalogueImage(
  file: string,
  { leftOut }: LoadOptions = {},
): Promise<SharedArrayBuffer> {
  return withFile(file, async (handle) => {
    const { header, directory, frame } = await readFrame(file, handle);
    if (!isReadableCatalogue(header.version)) throw wrongVersion(file, header.version);
    const image = new SharedArrayBuffer(header.bytes);
    const bytes = Buffer.from(image);
    frame.header.copy(bytes, 0);
    frame.directory.copy(bytes, header.directoryOffset);
    const sections = directory.sections.filter(
      ({ name }) => !name.startsWith(FACTS_PREFIX) && (leftOut === undefined || !name.startsWith(leftOut)),
    );
    await readSections(file, handle, bytes, sections);
    return image;
  });
}

/** Reads only the metadata of a catalogue, of any version. */
export async function readCatalogueInfo(file: string): Promise<CatalogueInfo> {
  return withFile(file, async (handle) => (await readFrame(file, handle)).directory.info);
}

/** Reads the directory of a catalogue, of any version. */
export async function readCatalogueSections(file: string): Promise<readonly Section[]> {
  return withFile(file, async (handle) => (await readFrame(file, handle)).directory.sections);
}

/** Verifies the bytes that `loadCatalogueImage` leaves in the file. Throws an `OperatorError`. */
export async function verifyFactsSections(file: string): Promise<void> {
  await withFile(file, async (handle) => {
    const { directory } = await readFrame(file, handle);
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (const section of directory.sections.filter(({ name }) => name.startsWith(FACTS_PREFIX))) {
      if ((await checksumOf(file, handle, section, chunk)) !== section.crc32)
        throw damagedCatalogue(file, `the section "${section.name}" is not as it was written`);
    }
  });
}

async function checksumOf(
  file: string,
  handle: FileHandle,
  section: Section,
  chunk: Buffer,
): Promise<number> {
  let checksum = 0;
  for (const { start, end } of chunksOf([section])) {
    const bytes = chunk.subarray(0, end - start);
    await readFully(file, handle, bytes, start);
    checksum = crc32(bytes, checksum);
  }
  return checksum;
}

interface Frame {
  readonly header: Header;
  readonly directory: CatalogueDirectory;
  readonly frame: { readonly header: Buffer; readonly directory: Buffer };
}

async function readFrame(file: string, handle: FileHandle): Promise<Frame> {
  const headerBytes = Buffer.alloc(HEADER_BYTES);
  const { bytesRead } = await handle.read(headerBytes, 0, HEADER_BYTES, 0);
  const header = parseHeader(file, headerBytes.subarray(0, bytesRead));
  const { size } = await handle.stat();
  if (size !== header.bytes) {
    throw damagedCatalogue(file, `it has ${counted(size, 'byte')} where ${header.bytes} were written`);
  }
  const directoryBytes = Buffer.alloc(header.directoryBytes);
  await readFully(file, handle, directoryBytes, header.directoryOffset);
  const directory = parseDirectory(file, header, directoryBytes);
  return { header, directory, frame: { header: headerBytes, directory: directoryBytes } };
}

async function readSections(
  file: string,
  handle: FileHandle,
  bytes: Buffer,
  sections: readonly Section[],
): Promise<void> {
  const reads: Promise<void>[] = [];
  const ahead = chunksOf(sections);
  const readNext = () => {
    const next = ahead.next();
    if (next.done) return;
    const read = readFully(file, handle, bytes.subarray(next.value.start, next.value.end), next.value.start);
    // Awaited below in order; until then a failure must not count as unhandled.
    read.catch(() => {});
    reads.push(read);
  };
  for (let i = 0; i < READS_AHEAD; i++) readNext();

  let checksum = 0;
  for (const { section, start, end } of chunksOf(sections)) {
    await reads.shift();
    readNext();
    if (start === section.offset) checksum = 0;
    checksum = crc32(bytes.subarray(start, end), checksum);
    if (end === section.offset + section.length && checksum !== section.crc32) {
      throw damagedCatalogue(file, `the section "${section.name}" is not as it was written`);
    }
  }
}

/** Splits sections into chunks; an empty section is one empty chunk. */
function* chunksOf(sections: readonly Section[]) {
  for (const section of sections) {
    const sectionEnd = section.offset + section.length;
    let start = section.offset;
    do {
      const end = Math.min(start + CHUNK_BYTES, sectionEnd);
      yield { section, start, end };
      start = end;
    } while (start < sectionEnd);
  }
}

async function readFully(
  file: string,
  handle: FileHandle,
  target: Uint8Array,
  position: number,
): Promise<void> {
  for (let done = 0; done < target.length; ) {
    const { bytesRead } = await handle.read(target, done, target.length - done, position + done);
    if (bytesRead === 0) throw damagedCatalogue(file, 'it ends too early');
    done += bytesRead;
  }
}

async function withFile<T>(file: string, action: (handle: FileHandle) => Promise<T>): Promise<T> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, 'r');
    return await action(handle);
  } catch (error) {
    throw readError(file, error);
  } finally {
    await handle?.close();
  }
}
