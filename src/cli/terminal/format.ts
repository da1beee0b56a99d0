/** Matches control characters, some of which control a terminal, and characters that change the direction of text. */
const ACTING = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const LAYOUT: ReadonlySet<string> = new Set(['\n', '\t']);

/** Escapes characters that would control the terminal, as JSON escapes them; inside JSON the meaning stays the same. */
export function printable(text: string): string {
  return text.replace(ACTING, (character) => (LAYOUT.has(character) ? character : escaped(character)));
}

/** Escapes text within a line, such as a name, including line breaks and tabs. */
export function printableInLine(text: string): string {
  return text.replace(ACTING, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Formats text for a table column, cut to its width. */
export function cell(text: string, width: number): string {
  const shown = printableInLine(text);
  return (shown.length > width ? `${shown.slice(0, width - 1)}…` : shown).padEnd(width);
}

export function numberCell(value: number, decimals: number, width: number): string {
  return value.toFixed(decimals).padStart(width);
}

export function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${printableInLine(line).trimEnd()}\n`).join('');
}

/** Formats rows in columns as wide as their longest text. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  const shown = rows.map((row) => row.map(printableInLine));
  for (const row of shown) {
    for (const [at, text] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, text.length);
  }
  return toLines(shown.map((row) => row.map((text, at) => text.padEnd(widths[at]!)).join('  ')));
}

const BYTES_PER_MEGABYTE = 1_000_000;
const MEGABYTES_PER_GIGABYTE = 1_000;

/** Formats bytes as "351.4 MB", "77.2 GB". */
export function size(bytes: number): string {
  const megabytes = bytes / BYTES_PER_MEGABYTE;
  return megabytes < MEGABYTES_PER_GIGABYTE
    ? `${megabytes.toFixed(1)} MB`
    : `${(megabytes / MEGABYTES_PER_GIGABYTE).toFixed(1)} GB`;
}

/** Formats a share in whole percent; shares between 0 and 1 % are not shown as 0. */
export function percent(share: number): string {
  return share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;
}
