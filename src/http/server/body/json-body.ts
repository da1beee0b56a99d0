import { isUtf8 } from 'node:buffer';
import secureJson from 'secure-json-parse';
import { AppError, type DetailsOf } from '../../../errors.ts';
import { MAX_JSON_DEPTH, MAX_JSON_VALUES } from './body-limits.ts';

/** Throws `invalid_request` for what is no JSON, is too deep, has too many values, or would replace a prototype. */
export function parseJson(bytes: Buffer): unknown {
  // Decoding would put U+FFFD in the place of what is none, and that would be kept as if it had been sent.
  if (!isUtf8(bytes)) throw invalid('The body is not UTF-8, as JSON has to be.'); // RFC 8259, 8.1
  const refusal = refusalOf(bytes);
  if (refusal !== undefined) throw refusal;
  try {
    return secureJson.parse(bytes.toString('utf8'), { protoAction: 'error', constructorAction: 'error' });
  } catch (cause) {
    throw invalid('The body is not valid JSON.', { cause });
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c];
const [OPEN_ARRAY, CLOSE_ARRAY, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Looks only at the bytes that structure a text, up to the first one beyond a limit: one pass without recursion, before
 * anything is made of it. For what is no JSON the answer means nothing, and parsing refuses it anyway.
 */
export function refusalOf(json: Uint8Array): AppError | undefined {
  let depth = 0;
  // A value begins where the text, an array or an object does, and after each comma; an empty one counts for two.
  let values = 1;
  let isInString = false;
  for (let i = 0; i < json.length; i++) {
    const byte = json[i];
    if (isInString) {
      if (byte === BACKSLASH) i++;
      else if (byte === QUOTE) isInString = false;
    } else if (byte === QUOTE) isInString = true;
    else if (byte === COMMA) values++;
    else if (byte === OPEN_ARRAY || byte === OPEN_OBJECT) {
      values++;
      if (++depth > MAX_JSON_DEPTH) {
        const message = `The body has more than ${MAX_JSON_DEPTH} arrays and objects inside each other.`;
        return invalid(message, { details: { limit: MAX_JSON_DEPTH } });
      }
    } else if (byte === CLOSE_ARRAY || byte === CLOSE_OBJECT) depth--;
    if (values > MAX_JSON_VALUES) {
      const message = `The body has more than ${MAX_JSON_VALUES} values.`;
      return invalid(message, { details: { limit: MAX_JSON_VALUES } });
    }
  }
  return undefined;
}

function invalid(
  message: string,
  more: { details?: DetailsOf<'invalid_request'>; cause?: unknown } = {},
): AppError {
  return new AppError({ code: 'invalid_request', message, ...more });
}
