/** In ASCII order, so that encoded numbers of one width sort like the numbers. */
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const BASE = BigInt(ALPHABET.length);

/** `value` as exactly `width` letters and digits. Throws a RangeError when it does not fit. */
export function toBase62(value: bigint, width: number): string {
  let text = '';
  let rest = value;
  for (let at = 0; at < width; at++) {
    text = ALPHABET[Number(rest % BASE)]! + text;
    rest /= BASE;
  }
  if (rest !== 0n) throw new RangeError(`${value} does not fit into ${width} digits of base 62`);
  return text;
}
