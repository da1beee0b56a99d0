import { OperatorError } from '@larder/core/errors.ts';
import { type AsyncBuffer, type FileMetaData, parquetSchema } from 'hyparquet';
import { parquetHeader, readPage } from 'hyparquet/src/column.js';
import { convert, convertWithDictionary, DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { getMaxDefinitionLevel, getTreePath } from 'hyparquet/src/schema.js';
import { compressors } from 'hyparquet-compressors';

type RowGroup = FileMetaData['row_groups'][number];
type ColumnDecoder = Parameters<typeof readDataPage>[2];

/** Maximum memory of all pages decoded at a time, over all columns. */
const MAX_DECODED_BYTES = 512 * 1024 * 1024;
/** Maximum size of the compressed columns of a row group. */
const MAX_COMPRESSED_BYTES = 256 * 1024 * 1024;
/**
 * Memory estimates: texts take up to two bytes for each byte of a page; each value takes its two levels and a
 * reference.
 */
const BYTES_PER_BYTE = 2;
const BYTES_PER_VALUE = 24;
/**
 * Maximum members of one list that are read; further ones are skipped. Products have some hundred nutrients and names
 * at most.
 */
const MAX_MEMBERS = 10_000;

/** The values of one row after another, by `column` or, for a list, `column.member`. */
export type RowGroupLeaves = ReadonlyMap<string, Iterator<readonly unknown[], undefined>>;

/** Counts the memory of decoded pages, and rejects pages that exceed the limit. */
class Budget {
  #takenBytes = 0;

  /** Returns a function that releases the memory. */
  take(sizeBytes: number, values: number): () => void {
    const bytes = sizeBytes * BYTES_PER_BYTE + values * BYTES_PER_VALUE;
    if (!(bytes >= 0 && this.#takenBytes + bytes <= MAX_DECODED_BYTES)) throw tooLarge();
    this.#takenBytes += bytes;
    return () => {
      this.#takenBytes -= bytes;
    };
  }
}

/**
 * Reads the wanted leaves of one row group, row by row: a value or null for a plain column, one value for each member
 * of a list. One page of each leaf is decoded at a time. Throws an `OperatorError` if the pages are too large to be
 * decoded.
 *
 * `parquetReadObjects` of hyparquet is not used: it decodes whole row groups into an array for each value of a list,
 * which takes gigabytes for those of the official file.
 */
export async function openRowGroup(
  file: AsyncBuffer,
  metadata: FileMetaData,
  group: RowGroup,
  isWanted: (path: readonly string[]) => boolean,
): Promise<RowGroupLeaves> {
  const wanted = group.columns.flatMap(({ meta_data: meta }) =>
    meta !== undefined && isWanted(meta.path_in_schema) ? [meta] : [],
  );
  const compressed = wanted.reduce((sum, meta) => sum + Number(meta.total_compressed_size), 0);
  if (!(compressed <= MAX_COMPRESSED_BYTES)) throw tooLarge();
  const schema = parquetSchema(metadata);
  const budget = new Budget();
  const leaves = new Map<string, Iterator<readonly unknown[], undefined>>();
  for (const meta of wanted) {
    const schemaPath = getTreePath(schema, meta.path_in_schema);
    const decoder = { ...meta, pathInSchema: meta.path_in_schema, schemaPath, compressors } as const;
    const element = schemaPath.at(-1)!.element;
    const start = Number(meta.dictionary_page_offset || meta.data_page_offset);
    const chunk = await file.slice(start, start + Number(meta.total_compressed_size));
    const pages = decodePages(chunk, { ...decoder, element, parsers: DEFAULT_PARSERS }, budget);
    leaves.set(leafPath(meta.path_in_schema), rowsOf(pages, levelsOf(schemaPath)));
  }
  return leaves;
}

/** The path without the nodes between a list and its members, whose names depend on the writer. */
function leafPath(path: readonly string[]): string {
  return path.length === 1 ? path[0]! : `${path[0]}.${path.at(-1)}`;
}

interface Page {
  /** Empty if no value of the column repeats. */
  readonly repetition: readonly number[];
  /** Empty if no value of the page is missing. */
  readonly definition: readonly number[];
  /** The values that are present. */
  readonly values: ArrayLike<unknown>;
}

function* decodePages(chunk: ArrayBuffer, decoder: ColumnDecoder, budget: Budget): Generator<Page> {
  const reader = { view: new DataView(chunk), offset: 0 };
  let dictionary: ReturnType<typeof convert> | undefined;
  while (reader.offset < chunk.byteLength - 1) {
    const header = parquetHeader(reader);
    const { data_page_header: v1, data_page_header_v2: v2, dictionary_page_header: ofDictionary } = header;
    const values = (v1 ?? v2 ?? ofDictionary)?.num_values ?? 0;
    const giveBack = budget.take(header.uncompressed_page_size, values);
    if (header.type === 'DICTIONARY_PAGE') {
      // The dictionary is kept while the column is read.
      const { data } = readPage(reader, header, decoder, undefined, undefined, 0);
      if (data !== undefined) dictionary = convert(data, decoder);
      continue;
    }
    const bytes = new Uint8Array(chunk, reader.offset, header.compressed_page_size);
    reader.offset += header.compressed_page_size;
    const page =
      v1 === undefined
        ? readDataPageV2(bytes, header, decoder)
        : readDataPage(
            decompressPage(bytes, header.uncompressed_page_size, decoder.codec, decoder.compressors),
            v1,
            decoder,
          );
    const encoding = (v1 ?? v2)!.encoding;
    yield {
      repetition: page.repetitionLevels,
      definition: page.definitionLevels ?? [],
      values: convertWithDictionary(page.dataPage, dictionary, encoding, decoder),
    };
    giveBack();
  }
}

interface Levels {
  /** The level of a present value. */
  readonly value: number;
  /** The level of a present list member; lower levels are an empty or missing list. */
  readonly member: number;
}

function levelsOf(schemaPath: ColumnDecoder['schemaPath']): Levels {
  const repeated = schemaPath.findIndex(({ element }) => element.repetition_type === 'REPEATED');
  return {
    value: getMaxDefinitionLevel(schemaPath),
    member: getMaxDefinitionLevel(schemaPath.slice(0, repeated + 1)),
  };
}

function* rowsOf(pages: Iterable<Page>, levels: Levels): Generator<readonly unknown[], undefined> {
  let row: unknown[] | undefined;
  for (const { repetition, definition, values } of pages) {
    const count = Math.max(repetition.length, definition.length) || values.length;
    let next = 0;
    for (let at = 0; at < count; at++) {
      // Level 0 begins a row, and level 1 continues it, since there is only one kind of list.
      if (row === undefined || !repetition[at]) {
        if (row !== undefined) yield row;
        row = [];
      }
      const level = definition.length === 0 ? levels.value : definition[at]!;
      const value = level === levels.value ? values[next++] : null;
      if (level >= levels.member && row.length < MAX_MEMBERS) row.push(value);
    }
  }
  if (row !== undefined) yield row;
  return undefined;
}

function tooLarge(): OperatorError {
  return new OperatorError(
    'its row groups or pages are too large for the memory limit. Write it again with at most 100,000 rows in a group',
  );
}
