/**
 * Finds objects in the lists of a huge JSON document and holds only one at a time. A list is the document itself, or
 * the value of a wanted key of the outermost object. It tracks only braces, brackets and strings; `JSON.parse` checks
 * the objects. Of an invalid document it delivers the objects it finds.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

const MAX_KEY_BYTES = 256;

export interface JsonElementsOptions {
  /** Whether the list under this key of the outermost object is read. */
  readonly isWanted: (key: string) => boolean;
  readonly maxElementBytes: number;
  /** `key` is undefined if the document itself is the list. `bytes` are valid during the call. */
  readonly onElement: (bytes: Buffer, key: string | undefined) => void;
  /** Called with the start of an object above the limit. */
  readonly onTooLarge: (start: Buffer) => void;
}

const EXAMPLE_BYTES = 200;

/** Call `push` with each chunk; afterwards `isWhole` says whether the document was complete. */
export class JsonElements {
  readonly #options: JsonElementsOptions;
  /** Bytes of the current element; empty outside one. */
  #pending: Buffer = Buffer.alloc(0);
  #inElement = false;
  #isTooLarge = false;
  #depth = 0;
  #inString = false;
  #escaped = false;
  /** The last string at depth 1 of the outermost object: the key, if a list follows. */
  #text: number[] = [];
  #key: string | undefined;
  /** Depth within the current list; 0 outside one. */
  #listDepth = 0;
  #listCount = 0;

  constructor(options: JsonElementsOptions) {
    this.#options = options;
  }

  get listCount(): number {
    return this.#listCount;
  }

  get isWhole(): boolean {
    return this.#depth === 0 && !this.#inString;
  }

  push(chunk: Buffer): void {
    const bytes = this.#pending.length === 0 ? chunk : Buffer.concat([this.#pending, chunk]);
    let at = this.#pending.length;
    let elementStart = 0;
    while (at < bytes.length) {
      if (this.#inElement) {
        at = this.#scanElement(bytes, at);
        if (this.#inElement) break;
        this.#endElement(bytes.subarray(elementStart, at));
      } else {
        at = this.#scanExternal(bytes, at);
        elementStart = at - 1;
      }
    }
    this.#pending = this.#inElement ? this.#keep(bytes.subarray(elementStart)) : Buffer.alloc(0);
  }

  /** Scans within an element. Returns the position after its end, or after the last byte. */
  #scanElement(bytes: Buffer, from: number): number {
    let depth = this.#depth;
    let inString = this.#inString;
    let escaped = this.#escaped;
    let at = from;
    for (; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (inString) {
        if (escaped) escaped = false;
        else if (byte === BACKSLASH) escaped = true;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) inString = true;
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) depth++;
      else if ((byte === CLOSE_BRACE || byte === CLOSE_BRACKET) && --depth === this.#listDepth) {
        this.#inElement = false;
        at++;
        break;
      }
    }
    this.#depth = depth;
    this.#inString = inString;
    this.#escaped = escaped;
    return at;
  }

  /** Scans between elements. Returns the position after the next element's opening brace, or after the last byte. */
  #scanExternal(bytes: Buffer, from: number): number {
    for (let at = from; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (this.#inString) this.#takeStringByte(byte);
      else if (byte === QUOTE) {
        this.#inString = true;
        this.#text = [];
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        if (this.#open(byte)) return at + 1;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#depth--;
        if (this.#depth < this.#listDepth) this.#listDepth = 0;
      }
    }
    return bytes.length;
  }

  #takeStringByte(byte: number): void {
    if (this.#escaped) this.#escaped = false;
    else if (byte === BACKSLASH) this.#escaped = true;
    else if (byte === QUOTE) {
      this.#inString = false;
      return;
    }
    if (this.#depth === 1 && this.#text.length < MAX_KEY_BYTES) this.#text.push(byte);
  }

  /** Whether the bracket opens an element. */
  #open(byte: number): boolean {
    this.#depth++;
    if (this.#listDepth > 0) {
      this.#inElement = byte === OPEN_BRACE && this.#depth === this.#listDepth + 1;
      return this.#inElement;
    }
    if (byte !== OPEN_BRACKET || this.#depth > 2) return false;
    const key = this.#depth === 1 ? undefined : Buffer.from(this.#text).toString('utf8');
    if (key !== undefined && !this.#options.isWanted(key)) return false;
    this.#key = key;
    this.#listDepth = this.#depth;
    this.#listCount++;
    return false;
  }

  #endElement(bytes: Buffer): void {
    if (this.#isTooLarge || bytes.length > this.#options.maxElementBytes) this.#options.onTooLarge(bytes);
    else this.#options.onElement(bytes, this.#key);
    this.#isTooLarge = false;
  }

  /** Keeps the bytes of an unfinished element. */
  #keep(bytes: Buffer): Buffer {
    if (bytes.length > this.#options.maxElementBytes) this.#isTooLarge = true;
    return this.#isTooLarge ? bytes.subarray(0, EXAMPLE_BYTES) : bytes;
  }
}
