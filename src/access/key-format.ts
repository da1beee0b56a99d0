import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RandomBytes } from '../base/time-ordered-id.ts';

/** The alphabet is in ASCII order, so that encoded numbers of one width sort like the numbers. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);

/** Encodes `value` as exactly `width` letters and digits. Throws a RangeError if it does not fit. */
function toBase62(value: bigint, width: number): string {
  let text = '';
  let rest = value;
  for (let at = 0; at < width; at++) {
    text = ALPHABET[Number(rest % BASE)]! + text;
    rest /= BASE;
  }
  if (rest !== 0n) throw new RangeError(`${value} does not fit into ${width} digits of base 62`);
  return text;
}

/**
 * The text of an API key, which only its holder has:
 *
 *     lrd_ 0uPq3Zk9aXc1 <43 characters> <6 characters>
 *     │    │            │               └ CRC-32 of all before it: detects typing errors without a look-up
 *     │    │            └ 256 random bits
 *     │    └ id: 6 for the second of creation, 6 random; shown in lists
 *     └ lets people and secret scanners recognise it
 *
 * Only letters and digits follow the prefix: one double click selects the key, and no shell or URL needs escaping.
 */
const KEY_PREFIX = 'lrd_';
const ID_LENGTH = 12;
const TIME_LENGTH = 6;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const SECRET_BYTES = 32;
const ID_BYTES = 4;
/** The form of a key id, as a pattern without anchors. */
export const KEY_ID_FORM = `[0-9A-Za-z]{${ID_LENGTH}}`;
const ID_PATTERN = new RegExp(`^${KEY_ID_FORM}$`);
const KEY_PATTERN = new RegExp(`^${KEY_PREFIX}[0-9A-Za-z]{${ID_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH}}$`);

export function createKeyText(nowSeconds: number, randomBytes: RandomBytes): string {
  const id =
    toBase62(BigInt(nowSeconds), TIME_LENGTH) +
    toBase62(toBigInt(randomBytes(ID_BYTES)), ID_LENGTH - TIME_LENGTH);
  const body = KEY_PREFIX + id + toBase62(toBigInt(randomBytes(SECRET_BYTES)), SECRET_LENGTH);
  return body + checksum(body);
}

/** Checks the form of a key id. */
export function isKeyId(text: string): boolean {
  return ID_PATTERN.test(text);
}

/** The id in a key's text; undefined if the form or the checksum is wrong. */
export function parseKeyId(text: string): string | undefined {
  const id = keyIdIn(text);
  return id === undefined || !hasChecksum(text) ? undefined : id;
}

/** The id in a text with the form of a key, whatever its checksum. */
export function keyIdIn(text: string): string | undefined {
  if (!KEY_PATTERN.test(text)) return undefined;
  return text.slice(KEY_PREFIX.length, KEY_PREFIX.length + ID_LENGTH);
}

/** Checks the checksum of a key's text. */
export function hasChecksum(text: string): boolean {
  return checksum(text.slice(0, -CHECKSUM_LENGTH)) === text.slice(-CHECKSUM_LENGTH);
}

/** The stored hash of a key. A plain hash is enough, because 256 random bits cannot be guessed. */
export function hashKeyText(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/**
 * Compares in constant time. The hash is made as a binary string, because a Buffer for each request would cost more
 * than hashing.
 */
export function matchesHash(text: string, storedHash: Uint8Array): boolean {
  const given = hash('sha256', text, 'binary');
  let difference = given.length ^ storedHash.length;
  for (let at = 0; at < given.length; at++) difference |= given.charCodeAt(at) ^ storedHash[at]!;
  return difference === 0;
}

function checksum(body: string): string {
  return toBase62(BigInt(crc32(body)), CHECKSUM_LENGTH);
}

function toBigInt(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
}
