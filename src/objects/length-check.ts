import { AppError } from '../errors.ts';
import type { SizeLimit } from './object-store.ts';

/** The body as it comes, until it is too long: `payload_too_large`. Too short or empty: `invalid_request`. */
export async function* measured(
  body: AsyncIterable<Uint8Array>,
  size: SizeLimit,
): AsyncGenerator<Uint8Array, void> {
  const { maxBytes, exactBytes } = size;
  const limitBytes = Math.min(maxBytes, exactBytes ?? maxBytes);
  let sizeBytes = 0;
  for await (const chunk of body) {
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
    yield chunk;
  }
  checkLength(sizeBytes, size);
}

/** For a length that is known: what `measured` would find in the end. */
export function checkLength(sizeBytes: number, { maxBytes, exactBytes }: SizeLimit): void {
  const limitBytes = Math.min(maxBytes, exactBytes ?? maxBytes);
  if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
  if (sizeBytes === 0) throw new AppError({ code: 'invalid_request', message: 'The body is empty.' });
  if (exactBytes !== undefined && sizeBytes < exactBytes) {
    throw new AppError({
      code: 'invalid_request',
      message: `The body has ${sizeBytes} bytes instead of ${exactBytes}.`,
      details: { expectedBytes: exactBytes },
    });
  }
}

function tooLarge(limitBytes: number): AppError {
  return new AppError({
    code: 'payload_too_large',
    message: `The body is larger than ${limitBytes} bytes.`,
    details: { limitBytes },
  });
}
