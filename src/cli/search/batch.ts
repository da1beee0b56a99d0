import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import type { Catalogue } from '../../catalogue/file/catalogue.ts';
import { parseSearchText } from '../../catalogue/food/search-request.ts';
import { AppError, OperatorError } from '../../errors.ts';
import { fileError } from '../../files/file-errors.ts';
import type { Terminal } from '../terminal/terminal.ts';

const LF = 0x0a;
/** Longer lines are cut. */
export const MAX_LINE_BYTES = 64 * 1024;

/** The lines of a UTF-8 text, including empty ones, without line breaks (LF or CRLF). */
export async function* linesOf(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  let pending: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(LF); end !== -1; end = bytes.indexOf(LF, start)) {
      yield toLine(joined(pending, bytes.subarray(start, end)));
      pending = Buffer.alloc(0);
      start = end + 1;
    }
    pending = joined(pending, bytes.subarray(start));
  }
  if (pending.length > 0) yield toLine(pending);
}

function joined(pending: Buffer, more: Buffer): Buffer {
  const line = pending.length === 0 ? more : Buffer.concat([pending, more]);
  return line.subarray(0, MAX_LINE_BYTES);
}

function toLine(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.endsWith('\r') ? text.slice(0, -1) : text;
}

/** Popular foods whose names are searched, in three ways, before measuring. */
const WARM_UP_FOODS = 200;
const STANDARD_INPUT = '-';

/** The queries to read, `-` for standard input. Throws an `OperatorError` if the file cannot be opened. */
export async function openBatch(file: string, terminal: Terminal): Promise<NodeJS.ReadableStream> {
  if (file === STANDARD_INPUT) {
    if (terminal.in === undefined) throw new OperatorError('Nothing is piped in.');
    return terminal.in;
  }
  const stream = createReadStream(file);
  try {
    await once(stream, 'open');
    return stream;
  } catch (error) {
    throw fileError(`Cannot read ${file}`, error);
  }
}

/** Answers each line in order, as fast as the output is read. */
export async function answerBatch(
  input: NodeJS.ReadableStream,
  catalogue: Catalogue,
  limit: number,
  out: NodeJS.WritableStream,
): Promise<void> {
  warmUp(catalogue, limit);
  const answers = async function* (chunks: AsyncIterable<Buffer | string>) {
    for await (const line of linesOf(chunks)) yield `${JSON.stringify(answer(line, catalogue, limit))}\n`;
  };
  try {
    await pipeline(input, answers, out, { end: false });
  } catch (error) {
    // The reader has stopped, like `head`.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

function answer(q: string, catalogue: Catalogue, limit: number) {
  const startedAt = performance.now();
  try {
    const query = parseSearchText(q);
    const foods = query === undefined ? [] : catalogue.search(query, limit);
    const us = Math.round((performance.now() - startedAt) * 10_000) / 10;
    return { q, ids: foods.map(({ id }) => id), names: foods.map(({ name }) => name), us };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { q, error: error.message };
  }
}

/** Lets the JIT compile the search before measuring. */
function warmUp(catalogue: Catalogue, limit: number): void {
  let names = 0;
  for (const record of catalogue.records()) {
    if (!('food' in record) || names++ === WARM_UP_FOODS) break;
    const { name } = record.food;
    const [firstWord] = name.split(' ');
    const misspelt = name.slice(0, 3) + name.slice(4);
    for (const query of [name, firstWord!, misspelt]) catalogue.search(query, limit);
  }
}
