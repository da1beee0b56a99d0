/** Text in a column of a table, cut where it is too wide. */
export function cell(text: string, width: number): string {
  return (text.length > width ? `${text.slice(0, width - 1)}…` : text).padEnd(width);
}

export function numberCell(value: number, decimals: number, width: number): string {
  return value.toFixed(decimals).padStart(width);
}

export function toLines(lines: readonly string[]): string {
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}
