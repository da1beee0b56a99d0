/**
 * The forward index: for every document its words in order of appearance, behind a header with what ranking needs
 * of every document it looks at, so that one look costs one cache line.
 *
 *     entries  │ header │ word │ word │ word │ header │ word │ …
 *              ▲ entryStarts[0]              ▲ entryStarts[1]
 *
 *     header   popularity (8 bits) · words in the shortest of name and aliases (8 bits) · has a brand (1 bit)
 *     word     term (28 bits) · starts a field (1 bit) · field (2 bits)
 */
export interface DocumentSections {
  readonly entries: Uint32Array;
  /** One value per document and one end. */
  readonly entryStarts: Uint32Array;
}

export const NAME = 0;
export const BRAND = 1;
export const ALIAS = 2;
export type Field = typeof NAME | typeof BRAND | typeof ALIAS;

export const TERM_MASK = 0x0fff_ffff;
const STARTS_FIELD = 0x1000_0000;
const FIELD_SHIFT = 29;

export function toEntry(term: number, field: Field, startsField: boolean): number {
  return ((field << FIELD_SHIFT) | (startsField ? STARTS_FIELD : 0) | term) >>> 0;
}

export function startsField(entry: number): boolean {
  return (entry & STARTS_FIELD) !== 0;
}

export function fieldOf(entry: number): Field {
  return (entry >>> FIELD_SHIFT) as Field;
}

export function toHeader(popularity: number, shortestName: number, hasBrand: boolean): number {
  return popularity | (shortestName << 8) | (hasBrand ? 1 << 16 : 0);
}

export function popularityIn(header: number): number {
  return header & 0xff;
}

/** At least 1. */
export function shortestNameIn(header: number): number {
  return (header >>> 8) & 0xff;
}

export function hasBrandIn(header: number): boolean {
  return (header & (1 << 16)) !== 0;
}
