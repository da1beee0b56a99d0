import { parseNumberBytes } from './number-bytes.ts';

/**
 * Finds some members of a JSON object in its bytes and skips the rest unparsed. A catalogue needs 3 of the 20 KB of
 * an Open Food Facts product, and skipping is much cheaper than parsing. Skipped parts are checked only for balanced
 * brackets, braces and quotes; requested values are parsed in full.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const SPACE = 0x20;

const NOT_FOUND = -1;
const BROKEN = -1;
const NAME_BUCKETS = 4_096;

export class JsonMembers<Name extends string> {
  readonly #names: readonly Buffer[];
  readonly #index: ReadonlyMap<Name, number>;
  /** First name of each bucket, then the next one in the same bucket; `NOT_FOUND` ends it. */
  readonly #buckets = new Int16Array(NAME_BUCKETS).fill(NOT_FOUND);
  readonly #next: Int16Array;
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(names: readonly Name[]) {
    this.#names = names.map((name) => Buffer.from(name));
    this.#index = new Map(names.map((name, index) => [name, index]));
    this.#next = new Int16Array(names.length).fill(NOT_FOUND);
    this.#starts = new Int32Array(names.length);
    this.#ends = new Int32Array(names.length);
    for (const [index, name] of this.#names.entries()) {
      const bucket = bucketOf(name, 0, name.length);
      this.#next[index] = this.#buckets[bucket]!;
      this.#buckets[bucket] = index;
    }
  }

  /**
   * Finds the members of the object in `bytes` from `start` to before `end`. Returns false if it is no JSON object.
   * Results are valid until the next call and while `bytes` do not change.
   */
  find(bytes: Buffer, start: number, end: number): boolean {
    this.#bytes = bytes;
    this.#starts.fill(NOT_FOUND);
    let at = skipSpace(bytes, start, end);
    if (bytes[at] !== OPEN_BRACE) return false;
    at = skipSpace(bytes, at + 1, end);
    if (bytes[at] === CLOSE_BRACE) return skipSpace(bytes, at + 1, end) === end;
    for (;;) {
      if (at >= end || bytes[at] !== QUOTE) return false;
      const nameEnd = skipString(bytes, at, end);
      if (nameEnd === BROKEN) return false;
      const index = this.#findName(bytes, at + 1, nameEnd - 1);
      at = skipSpace(bytes, nameEnd, end);
      if (at >= end || bytes[at] !== COLON) return false;
      const valueStart = skipSpace(bytes, at + 1, end);
      const valueEnd = skipValue(bytes, valueStart, end);
      if (valueEnd === BROKEN) return false;
      if (index !== NOT_FOUND) {
        this.#starts[index] = valueStart;
        this.#ends[index] = valueEnd;
      }
      at = skipSpace(bytes, valueEnd, end);
      if (at >= end) return false;
      if (bytes[at] === CLOSE_BRACE) return skipSpace(bytes, at + 1, end) === end;
      if (bytes[at] !== COMMA) return false;
      at = skipSpace(bytes, at + 1, end);
    }
  }

  /** The member's value; undefined if there is none. Throws a `SyntaxError` for invalid JSON. */
  parse(name: Name): unknown {
    const index = this.#index.get(name)!;
    const start = this.#starts[index]!;
    if (start === NOT_FOUND) return undefined;
    return parseValue(this.#bytes, start, this.#ends[index]!);
  }

  /** The member as a number, also if written as a string; undefined if it is none. */
  number(name: Name): number | undefined {
    const index = this.#index.get(name)!;
    const start = this.#starts[index]!;
    if (start === NOT_FOUND) return undefined;
    const isText = this.#bytes[start] === QUOTE;
    return parseNumberBytes(this.#bytes, isText ? start + 1 : start, this.#ends[index]! - (isText ? 1 : 0));
  }

  /** The range of the member's value; undefined if there is none. */
  slice(name: Name): readonly [start: number, end: number] | undefined {
    const index = this.#index.get(name)!;
    const start = this.#starts[index]!;
    return start === NOT_FOUND ? undefined : [start, this.#ends[index]!];
  }

  #findName(bytes: Buffer, start: number, end: number): number {
    if (bytes[end - 1] !== BACKSLASH && !hasEscape(bytes, start, end)) {
      const bucket = bucketOf(bytes, start, end);
      let index = this.#buckets[bucket]!;
      while (index !== NOT_FOUND && !isEqual(this.#names[index]!, bytes, start, end))
        index = this.#next[index]!;
      return index;
    }
    const name = parseText(bytes, start - 1, end + 1);
    return this.#index.get(name as Name) ?? NOT_FOUND;
  }
}

function bucketOf(bytes: Buffer, start: number, end: number): number {
  if (start === end) return 0;
  return ((end - start) * 61 + bytes[start]! * 7 + bytes[end - 1]! * 31) & (NAME_BUCKETS - 1);
}

function isEqual(name: Buffer, bytes: Buffer, start: number, end: number): boolean {
  if (name.length !== end - start) return false;
  for (let at = 0; at < name.length; at++) if (name[at] !== bytes[start + at]) return false;
  return true;
}

function hasEscape(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (bytes[at] === BACKSLASH) return true;
  return false;
}

function parseValue(bytes: Buffer, start: number, end: number): unknown {
  return bytes[start] === QUOTE
    ? parseText(bytes, start, end)
    : JSON.parse(bytes.toString('utf8', start, end));
}

/** Strings without escapes need no parser. Control characters, which JSON forbids, are left to `JSON.parse`. */
function parseText(bytes: Buffer, start: number, end: number): string {
  for (let at = start + 1; at < end - 1; at++) {
    const byte = bytes[at]!;
    if (byte === BACKSLASH || byte < SPACE) return JSON.parse(bytes.toString('utf8', start, end)) as string;
  }
  return bytes.toString('utf8', start + 1, end - 1);
}

function skipSpace(bytes: Buffer, start: number, end: number): number {
  let at = start;
  while (at < end && isSpace(bytes[at]!)) at++;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Returns the position after the closing quote, or `BROKEN`. */
function skipString(bytes: Buffer, start: number, end: number): number {
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    if (byte === BACKSLASH) at++;
  }
  return BROKEN;
}

/** Returns the position after the value, or `BROKEN`. */
function skipValue(bytes: Buffer, start: number, end: number): number {
  if (start >= end) return BROKEN;
  const first = bytes[start];
  if (first === QUOTE) return skipString(bytes, start, end);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipNested(bytes, start, end);
  let at = start;
  while (at < end && !endsLiteral(bytes[at]!)) at++;
  return at === start ? BROKEN : at;
}

function endsLiteral(byte: number): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || isSpace(byte);
}

function skipNested(bytes: Buffer, start: number, end: number): number {
  let depth = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at]!;
    if (byte === QUOTE) {
      at = skipString(bytes, at, end) - 1;
      if (at < start) return BROKEN;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth++;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      depth--;
      if (depth === 0) return at + 1;
    }
  }
  return BROKEN;
}
