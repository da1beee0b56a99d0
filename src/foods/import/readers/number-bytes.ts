const POWERS_OF_TEN = Float64Array.from({ length: 16 }, (_, exponent) => 10 ** exponent);

/**
 * Parses a decimal number from bytes. Up to 15 digits are summed exactly and divided by an exact power of ten, which
 * rounds as `Number` does; others are parsed as a string.
 */
export function parseNumberBytes(bytes: Buffer, start: number, end: number): number | undefined {
  if (start === end) return undefined;
  let at = start;
  const negative = bytes[at] === 0x2d;
  if (negative) at++;
  let mantissa = 0;
  let digits = 0;
  let decimals = -1;
  for (; at < end; at++) {
    const byte = bytes[at]!;
    if (byte >= 0x30 && byte <= 0x39) {
      mantissa = mantissa * 10 + (byte - 0x30);
      digits++;
      if (decimals >= 0) decimals++;
    } else if (byte === 0x2e && decimals < 0) {
      decimals = 0;
    } else {
      return slowNumber(bytes, start, end);
    }
  }
  if (digits === 0 || digits > 15) return slowNumber(bytes, start, end);
  const value = decimals > 0 ? mantissa / POWERS_OF_TEN[decimals]! : mantissa;
  return negative ? -value : value;
}

function slowNumber(bytes: Buffer, start: number, end: number): number | undefined {
  const text = bytes.toString('latin1', start, end).trim();
  const value = /^[+-]?(\d|\.\d)[\d.]*([eE][+-]?\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(value) ? value : undefined;
}
