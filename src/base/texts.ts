/**
 * Whether every database can store the text unchanged: PostgreSQL accepts no NUL, and half of a surrogate
 * pair has no UTF-8 form.
 */
export function isWellFormedText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Whether the text has at most `max` characters, counted as code points. */
export function hasAtMost(text: string, max: number): boolean {
  // The length in UTF-16 units bounds that in code points from above and, halved, from below.
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}

/** Formats a number with separators: "2,557". */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Formats a count: "1 food", "2,557 foods". The plural must end in s. */
export function counted(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

/** The edit distance of two short names (Levenshtein). */
export function editsBetween(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (const [i, letter] of [...a].entries()) {
    const above = row;
    row = [i + 1];
    for (let j = 0; j < b.length; j++) {
      row.push(Math.min(row[j]! + 1, above[j + 1]! + 1, above[j]! + (letter === b[j] ? 0 : 1)));
    }
  }
  return row[b.length]!;
}
