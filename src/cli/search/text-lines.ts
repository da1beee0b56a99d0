const LF = 0x0a;
/** Longer lines are cut. */
export const MAX_LINE_BYTES = 64 * 1024;

/** The lines of a UTF-8 text, empty ones too, without their line breaks (LF or CRLF). */
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
