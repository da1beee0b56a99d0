/** The whole body of an answer, or an error as soon as it is longer than this. */
export async function readBounded(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.byteLength;
    // Leaving the loop ends the connection.
    if (sizeBytes > maxBytes) throw new AnswerTooLong(`The answer is longer than ${maxBytes} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export class AnswerTooLong extends Error {
  override readonly name = 'AnswerTooLong';
}

/** Seconds, or a date (RFC 9110, 10.2.3), in ms from now; undefined for what is neither, or past. */
export function parseRetryAfter(header: string | undefined): number | undefined {
  if (header === undefined) return undefined;
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : Date.parse(header) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : undefined;
}
