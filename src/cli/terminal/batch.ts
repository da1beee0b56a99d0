import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { AppError, UsageError } from '@larder/core/errors.ts';
import { readError } from '../../files/file-errors.ts';
import type { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { printable } from './format.ts';
import type { Terminal } from './terminal.ts';

const LF = 0x0a;
/** Maximum length of a line; longer ones are cut. */
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

const STANDARD_INPUT = '-';

/** Opens the lines to read; `-` is standard input. Throws an `OperatorError` if the file cannot be opened. */
export async function openBatch(file: string, terminal: Terminal): Promise<AsyncIterable<Buffer | string>> {
  if (file === STANDARD_INPUT) {
    if (terminal.in === undefined) throw new UsageError('There is no standard input.');
    return terminal.in;
  }
  const stream = createReadStream(file);
  try {
    await once(stream, 'open');
  } catch (error) {
    throw readError(file, error);
  }
  return chunksOf(file, stream);
}

async function* chunksOf(file: string, stream: Readable): AsyncGenerator<Buffer> {
  try {
    yield* stream;
  } catch (error) {
    throw readError(file, error);
  }
}

export interface Batch {
  readonly input: AsyncIterable<Buffer | string>;
  readonly out: NodeJS.WritableStream;
  /** The response field that repeats the line. */
  readonly field: string;
  /** Returns the other fields. An `AppError` is the response to its line alone. */
  readonly answer: (line: string) => Promise<object>;
}

/**
 * Writes a line of JSON for each line, in order, as fast as the output is read. `us` is the duration in microseconds.
 */
export async function answerBatch({ input, out, field, answer }: Batch): Promise<void> {
  const timed = async (line: string) => {
    const startedAt = performance.now();
    try {
      const answered = await answer(line);
      const us = Math.round((performance.now() - startedAt) * 10_000) / 10;
      return { [field]: line, ...answered, us };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { [field]: line, error: error.message };
    }
  };
  const answers = async function* (chunks: AsyncIterable<Buffer | string>) {
    for await (const line of linesOf(chunks)) yield printable(`${JSON.stringify(await timed(line))}\n`);
  };
  try {
    await pipeline(input, answers, out, { end: false });
  } catch (error) {
    // EPIPE means that the reader has stopped, like `head`.
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}

/** Number of foods looked up before measuring, so that the JIT has compiled the code. */
const WARM_UP_FOODS = 200;

/** The names of popular foods. */
export function* warmUpNames(catalogue: Catalogue): Generator<string> {
  let names = 0;
  for (const record of catalogue.records()) {
    if (!('food' in record) || names++ === WARM_UP_FOODS) return;
    yield record.food.name;
  }
}
