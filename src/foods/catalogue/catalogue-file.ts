/**
 * A catalogue on disk and in memory; the file is loaded unchanged. Numbers are little-endian.
 *
 * | Part | Bytes |
 * | --- | --- |
 * | header: magic `LARDERCT`, version, CRC-32 of the rest of the header | 8 + 4 + 4 |
 * | … length of the file, offset of the directory, its length, its CRC-32 | 8 + 8 (doubles) + 4 + 4 |
 * | sections, each at a multiple of 64 | see below |
 * | directory as JSON: metadata, and name, kind, offset, length, CRC-32 of each section | n |
 *
 * Header and directory are the same in all versions, so that any Larder can identify a file. Unknown sections are ignored.
 *
 * | Section | Content |
 * | --- | --- |
 * | `records` | one record for each food and known product, in static order, each at a multiple of 4 (`food-record.ts`) |
 * | `places` | `u32` for each: the offset of its record, divided by 4 |
 * | `id.*` | hash index (`hash-index.ts`) from id to position, including ids of merged foods |
 * | `gtin.*` | hash index from GTIN to position |
 * | `search.*` | the search index |
 * | `names.*` | the names of generic foods by their words |
 * | `local.*` | for each language its names of generic foods: a search index, and the name that is shown |
 * | `facts.*` | facts by import, which import and entry each document has, and the documents of each filter (`catalogue-facts.ts`) |
 * | `meaning.*` | vectors of word pieces and of generic foods |
 */
import { crc32 } from 'node:zlib';
import { OperatorError } from '@larder/core/errors.ts';
import type { SectionArray } from '@larder/search/index/sections.ts';
import { AtomicFileWriter, type WriterDisk } from '../../files/atomic-file-writer.ts';
import type { CatalogueInfo } from './catalogue-info.ts';
import { CATALOGUE_FORMAT_VERSION, CATALOGUE_MAGIC } from './format.ts';

/** Records start at multiples of this, so that a `u32` addresses 16 GiB. */
export const RECORD_ALIGNMENT = 4;

/** Prefix of the sections that belong to the search index. */
export const SEARCH_PREFIX = 'search.';
/** Prefix of the sections with the names of generic foods. */
export const NAMES_PREFIX = 'names.';
/** Prefix of the sections with names by language; a catalogue may lack them. */
export const LOCAL_PREFIX = 'local.';
/** Prefix of the sections with facts, which are read from the file when they are asked for; a catalogue may lack them. */
export const FACTS_PREFIX = 'facts.';
/** Prefix of the sections that are the facts of one import each, by the name of its segment. */
export const SEGMENT_FACTS_PREFIX = 'facts.of.';
/** Prefix of the sections by which foods are found by meaning; a catalogue may lack them. */
export const MEANING_PREFIX = 'meaning.';

export const HEADER_BYTES = 64;
/** A cache line; sufficient for every typed array. */
const SECTION_ALIGNMENT = 64;
/** Name in messages of a catalogue without a known file. */
export const IN_MEMORY = 'The catalogue in memory';
const MAX_DIRECTORY_BYTES = 4 << 20;

/** How the numbers of a section are read. */
const VIEWS = {
  u8: (image: SharedArrayBuffer, offset: number, length: number) => new Uint8Array(image, offset, length),
  u16: (image: SharedArrayBuffer, offset: number, length: number) =>
    new Uint16Array(image, offset, length / 2),
  u32: (image: SharedArrayBuffer, offset: number, length: number) =>
    new Uint32Array(image, offset, length / 4),
} as const;
type Kind = keyof typeof VIEWS;

export interface Section {
  readonly name: string;
  /** One of `VIEWS`, or one that a later version added for a section that this one does not read. */
  readonly kind: string;
  readonly offset: number;
  /** Length in bytes. */
  readonly length: number;
  readonly crc32: number;
}

export interface CatalogueDirectory {
  readonly info: CatalogueInfo;
  readonly sections: readonly Section[];
}

/** The facts given by the writer; the rest of `CatalogueInfo` follows from the file. */
export type CatalogueFacts = Omit<CatalogueInfo, 'formatVersion' | 'bytes' | 'checksum'>;

/** Writes sections in sequence. The file appears with `finish`, complete or not at all. */
export class CatalogueFileWriter {
  readonly #out: AtomicFileWriter;
  readonly #sections: Section[] = [];

  static open(file: string, disk?: WriterDisk): CatalogueFileWriter {
    const out = AtomicFileWriter.open(file, disk);
    out.write(new Uint8Array(HEADER_BYTES));
    return new CatalogueFileWriter({ out });
  }

  private constructor({ out }: { out: AtomicFileWriter }) {
    this.#out = out;
  }

  addSection(name: string, values: SectionArray): void {
    const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
    const offset = this.#begin();
    this.#out.write(bytes);
    this.#end(name, kindOf(values), offset);
  }

  /** Adds a section whose bytes `write` supplies in parts. */
  async streamBytes(name: string, write: (out: AtomicFileWriter) => Promise<void>): Promise<void> {
    const offset = this.#begin();
    await write(this.#out);
    this.#end(name, 'u8', offset);
  }

  async finish(facts: CatalogueFacts): Promise<CatalogueInfo> {
    this.#out.align(SECTION_ALIGNMENT);
    const offset = this.#out.length;
    const directory = Buffer.from(JSON.stringify({ info: facts, sections: this.#sections }, undefined, 1));
    this.#out.write(directory);
    const bytes = this.#out.length;
    this.#out.writeAtStart(headerOf({ bytes, offset, directory }));
    await this.#out.finish();
    return { ...facts, formatVersion: CATALOGUE_FORMAT_VERSION, bytes, checksum: checksumOf(this.#sections) };
  }

  /** Deletes the unfinished file. Does nothing after `finish`. */
  discard(): void {
    this.#out.discard();
  }

  #begin(): number {
    this.#out.align(SECTION_ALIGNMENT);
    this.#out.restartChecksum();
    return this.#out.length;
  }

  #end(name: string, kind: Kind, offset: number): void {
    const length = this.#out.length - offset;
    this.#sections.push({ name, kind, offset, length, crc32: this.#out.checksum() });
  }
}

function headerOf(parts: { bytes: number; offset: number; directory: Buffer }): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(CATALOGUE_MAGIC, 'latin1');
  header.writeUInt32LE(CATALOGUE_FORMAT_VERSION, 8);
  header.writeDoubleLE(parts.bytes, 16);
  header.writeDoubleLE(parts.offset, 24);
  header.writeUInt32LE(parts.directory.length, 32);
  header.writeUInt32LE(crc32(parts.directory), 36);
  header.writeUInt32LE(crc32(header.subarray(16)), 12);
  return header;
}

/** The directory's position, from the header. */
export interface Header {
  readonly version: number;
  readonly bytes: number;
  readonly directoryOffset: number;
  readonly directoryBytes: number;
  readonly directoryCrc32: number;
}

/** Throws an `OperatorError` that begins with `file` if the header is invalid. */
export function parseHeader(file: string, header: Buffer): Header {
  if (header.length < HEADER_BYTES || header.toString('latin1', 0, 8) !== CATALOGUE_MAGIC) {
    throw new DamagedCatalogueError(`${file} is not a catalogue. ${WHAT_TO_DO}`);
  }
  const parsed: Header = {
    version: header.readUInt32LE(8),
    bytes: header.readDoubleLE(16),
    directoryOffset: header.readDoubleLE(24),
    directoryBytes: header.readUInt32LE(32),
    directoryCrc32: header.readUInt32LE(36),
  };
  const sound =
    crc32(header.subarray(16, HEADER_BYTES)) === header.readUInt32LE(12) &&
    parsed.directoryBytes <= MAX_DIRECTORY_BYTES &&
    parsed.directoryOffset + parsed.directoryBytes === parsed.bytes;
  if (!sound) throw damagedCatalogue(file, 'its header is not as it was written');
  return parsed;
}

export function parseDirectory(file: string, header: Header, directory: Buffer): CatalogueDirectory {
  if (crc32(directory) !== header.directoryCrc32) {
    throw damagedCatalogue(file, 'its directory is not as it was written');
  }
  const { info, sections } = JSON.parse(directory.toString()) as {
    info: CatalogueFacts;
    sections: readonly Section[];
  };
  const checksum = checksumOf(sections);
  return { info: { ...info, formatVersion: header.version, bytes: header.bytes, checksum }, sections };
}

/** Reads the directory of a catalogue in memory. */
export function readDirectory(image: SharedArrayBuffer): CatalogueDirectory {
  const bytes = Buffer.from(image);
  const header = parseHeader(IN_MEMORY, bytes.subarray(0, HEADER_BYTES));
  const { directoryOffset, directoryBytes } = header;
  return parseDirectory(IN_MEMORY, header, bytes.subarray(directoryOffset, directoryOffset + directoryBytes));
}

const WHAT_TO_DO = '`larder catalogue list` shows the others, `larder catalogue use NAME` takes one of them.';

/** The file of a catalogue is not as it was written. */
export class DamagedCatalogueError extends OperatorError {}

export function damagedCatalogue(file: string, what: string): OperatorError {
  return new DamagedCatalogueError(`${file} is damaged: ${what}. ${WHAT_TO_DO}`);
}

export function wrongVersion(file: string, version: number): OperatorError {
  return new OperatorError(
    `${file} has format version ${version}, this Larder reads ${CATALOGUE_FORMAT_VERSION}. ` +
      '`larder catalogue rebuild` compiles the imports of the one in use again, `larder catalogue use NAME` those of another one.',
  );
}

/** The numbers of each section as a view on the loaded memory, by name. Sections of an unknown kind are left out. */
export function sectionViews(
  image: SharedArrayBuffer,
  sections: readonly Section[],
): ReadonlyMap<string, SectionArray> {
  return new Map(
    sections.flatMap(({ name, kind, offset, length }) =>
      isKnown(kind) ? [[name, VIEWS[kind](image, offset, length)] as const] : [],
    ),
  );
}

function isKnown(kind: string): kind is Kind {
  return Object.hasOwn(VIEWS, kind);
}

function kindOf(values: SectionArray): Kind {
  if (values instanceof Uint8Array) return 'u8';
  return values instanceof Uint16Array ? 'u16' : 'u32';
}

function checksumOf(sections: readonly Section[]): string {
  return crc32(JSON.stringify(sections)).toString(16).padStart(8, '0');
}
