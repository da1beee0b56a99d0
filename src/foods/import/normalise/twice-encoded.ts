import { isUtf8 } from 'node:buffer';

/** Bytes 0x80 to 0x9F of Windows-1252, as the characters that programs decode them to. */
const HIGH_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';
const BYTE_OF = new Map([...HIGH_1252].map((character, at) => [character, 0x80 + at]));

/** The first byte of a character of UTF-8, and the next one, both read as characters of Windows-1252. */
export const TWICE_ENCODED_PAIR =
  /[\u00c2-\u00df\u00e0-\u00ef\u00f0-\u00f4][\u0080-\u00bf€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]/u;
/** Control characters, which no text has. */
const CONTROL = /[\u0080-\u009f]/u;
/** Some programs encode a twice-encoded text again. */
const MAX_TIMES = 2;

export interface EncodedText {
  readonly text: string;
  /** Whether the text was encoded twice: it is repaired. */
  readonly isRepaired: boolean;
  /** Whether only a part of the text looks encoded twice: that is no proof, so the text is kept. */
  readonly isDoubtful: boolean;
}

/**
 * Repairs UTF-8 that was decoded as Windows-1252 and encoded again, "CrÃ¨me brÃ»lÃ©e". It is certain if all
 * characters beyond ASCII are bytes of valid UTF-8, which hardly any other text satisfies.
 */
export function repairTwiceEncoded(given: string): EncodedText {
  let text = given;
  for (let times = 0; times < MAX_TIMES && TWICE_ENCODED_PAIR.test(text); times++) {
    const bytes = bytesOf(text);
    if (bytes === undefined || !isUtf8(bytes)) break;
    const decoded = bytes.toString('utf8');
    if (CONTROL.test(decoded)) break;
    text = decoded;
  }
  const isRepaired = text !== given;
  return { text, isRepaired, isDoubtful: !isRepaired && TWICE_ENCODED_PAIR.test(text) && /[ÃÂ]/.test(text) };
}

/** The text in Windows-1252; undefined if it has other characters. */
function bytesOf(text: string): Buffer | undefined {
  const bytes = Buffer.alloc(text.length);
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    const byte = code < 0x100 ? code : BYTE_OF.get(text[at]!);
    if (byte === undefined) return undefined;
    bytes[at] = byte;
  }
  return bytes;
}
