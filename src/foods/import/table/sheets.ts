import { OperatorError } from '@larder/core/errors.ts';
import readWorkbook from 'read-excel-file/node';
import { fromBuffer } from 'yauzl';
import type { RawFoodSink } from '../normalise/raw-food.ts';
import { JsonElements } from '../readers/json-elements.ts';
import { type ReadOptions, readSourceFile, type SourceFile } from '../readers/source-file.ts';
import { wholeAsUtf8 } from '../readers/utf8.ts';
import { openTable, type RowLimits } from './delimited-table.ts';

/** A number as a spreadsheet or JSON has it, or text. */
export type Cell = string | number;

export interface SheetRow {
  /** Number of its first line, or of the row or object, from 1. */
  readonly line: number;
  readonly cells: readonly Cell[];
  /** Why the cells cannot be used. */
  readonly problem?: string;
}

/** The rows of one file or of one sheet of a workbook; the headings are among the first. */
export interface Sheet {
  /** Name of the file, and of the sheet if there are several: for messages. */
  readonly name: string;
  /** Name of the sheet in a workbook. */
  readonly title?: string;
  readonly delimiter: string;
  readonly rows: () => Iterable<SheetRow>;
}

const MIB = 1024 * 1024;
/** A table is held in memory while it is read. The amounts of Canada's table are 30 MB. */
const MAX_TABLE_MIB = 256;
/** BLS has 418 columns. */
const LIMITS: RowLimits = { columns: 2_000, cellCharacters: 10_000 };
/** Of these, the NEVO table uses the bar. */
const DELIMITERS = [',', ';', '\t', '|'];
const MAX_OBJECT_MIB = 1;
/** Objects in which the headings of a JSON table are looked for. */
const HEADING_OBJECTS = 500;

/** Reads a file with a table: CSV, TSV, XLSX, JSON lines or a JSON list. Throws an `OperatorError` for other content. */
export async function openSheets(
  file: SourceFile,
  sink: Pick<RawFoodSink, 'noticed'>,
  options: ReadOptions = {},
): Promise<readonly Sheet[]> {
  if (file.content === 'empty') throw new OperatorError(`${file.path} is empty. Get it again.`);
  if (file.content === 'parquet' || file.content === 'binary') {
    throw new OperatorError(
      `${file.path} is no table: CSV, TSV, XLSX, JSON lines or a JSON list. Save it as one of these.`,
    );
  }
  const bytes = await wholeFile(file, options);
  if (file.content === 'zip') return readSpreadsheet(file, bytes);
  const utf8 = await wholeAsUtf8(file.name, bytes, sink);
  if (file.content === 'json') return [readObjects(file, utf8)];
  const { delimiter, rows } = openTable(utf8, DELIMITERS, LIMITS);
  return [{ name: file.name, delimiter, rows }];
}

async function wholeFile(file: SourceFile, { onBytesRead, signal }: ReadOptions): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of readSourceFile(file, onBytesRead, signal)) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_TABLE_MIB * MIB) {
      throw new OperatorError(
        `${file.path} has more than ${MAX_TABLE_MIB} MiB; divide it into several files.`,
      );
    }
  }
  return Buffer.concat(chunks, length);
}

async function readSpreadsheet(file: SourceFile, bytes: Buffer): Promise<readonly Sheet[]> {
  await requireUnpackedSize(file, bytes);
  let sheets: Awaited<ReturnType<typeof readWorkbook>>;
  try {
    sheets = await readWorkbook(bytes);
  } catch (error) {
    throw new OperatorError(
      `${file.path} is no Excel file (.xlsx) that can be read. Save its sheet as CSV (UTF-8).`,
      {
        cause: error,
      },
    );
  }
  return sheets.map(({ sheet, data }) => ({
    name: sheets.length === 1 ? file.name : `${file.name}, sheet "${sheet}"`,
    title: sheet,
    delimiter: '\t',
    rows: () => rowsOfSheet(data),
  }));
}

function* rowsOfSheet(data: readonly (readonly unknown[])[]): Generator<SheetRow> {
  for (const [at, row] of data.entries()) {
    const cells = row.map(toCell);
    if (cells.some((cell) => cell !== '')) yield { line: at + 1, cells };
  }
}

function toCell(value: unknown): Cell {
  if (typeof value === 'number') return value;
  if (value === null || value === undefined) return '';
  return value instanceof Date ? value.toISOString() : String(value);
}

/** Refuses a workbook that would fill the memory once it is unpacked. */
function requireUnpackedSize(file: SourceFile, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    fromBuffer(bytes, { lazyEntries: true }, (error, zip) => {
      if (error !== null) {
        reject(new OperatorError(`${file.path} is a damaged ZIP archive. Get it again.`, { cause: error }));
        return;
      }
      let size = 0;
      zip.on('entry', ({ uncompressedSize }) => {
        size += uncompressedSize;
        if (size > MAX_TABLE_MIB * MIB) {
          reject(
            new OperatorError(
              `${file.path} has more than ${MAX_TABLE_MIB} MiB once unpacked; save its sheet as CSV.`,
            ),
          );
        } else zip.readEntry();
      });
      zip.on('end', () => resolve());
      zip.on('error', reject);
      zip.readEntry();
    });
  });
}

/** JSON lines, a JSON list, or an object with one: each object is a row, nested fields are columns `a.b`. */
function readObjects(file: SourceFile, utf8: Buffer): Sheet {
  const [first = ''] = utf8.toString('utf8', 0, file.head.length).trimStart().split('\n', 1);
  const isLines = typeof parsed(first) === 'object' && !first.startsWith('[');
  const texts = isLines ? utf8.toString('utf8').split('\n') : elementsOf(file, utf8);
  const objects = texts.filter((text) => text.trim() !== '');
  if (objects.length === 0)
    throw new OperatorError(`${file.path} is no table: JSON lines, or a JSON list of objects.`);
  const headings = [
    ...new Set(objects.slice(0, HEADING_OBJECTS).flatMap((text) => [...fieldsOf(parsed(text)).keys()])),
  ];
  function* rows(): Generator<SheetRow> {
    yield { line: 0, cells: headings };
    for (const [at, text] of objects.entries()) {
      const value = parsed(text);
      const isObject = typeof value === 'object' && value !== null;
      const fields = fieldsOf(value);
      yield isObject
        ? { line: at + 1, cells: headings.map((name) => fields.get(name) ?? '') }
        : { line: at + 1, cells: [], problem: 'no valid JSON' };
    }
  }
  return { name: file.name, delimiter: '\t', rows };
}

function elementsOf(file: SourceFile, utf8: Buffer): readonly string[] {
  const texts: string[] = [];
  const elements = new JsonElements({
    isWanted: () => true,
    maxElementBytes: MAX_OBJECT_MIB * MIB,
    onElement: (bytes) => texts.push(bytes.toString('utf8')),
    onTooLarge: (start) => texts.push(start.toString('utf8')),
  });
  elements.push(utf8);
  if (elements.listCount > 0 && !elements.isWhole) {
    throw new OperatorError(
      `${file.path} ends in the middle of the list: its copy or download is incomplete. Get it again.`,
    );
  }
  return texts;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function fieldsOf(value: unknown, prefix = '', fields = new Map<string, Cell>()): ReadonlyMap<string, Cell> {
  if (typeof value !== 'object' || value === null) return fields;
  for (const [name, field] of Object.entries(value)) {
    if (typeof field === 'number') fields.set(prefix + name, field);
    else if (typeof field === 'string') fields.set(prefix + name, field);
    else if (Array.isArray(field)) {
      if (field.every((each) => typeof each === 'string')) fields.set(prefix + name, field.join(' | '));
    } else fieldsOf(field, `${prefix}${name}.`, fields);
  }
  return fields;
}
