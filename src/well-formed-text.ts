/**
 * Whether every database keeps the text and gives it back as it was: PostgreSQL takes no NUL, and half of a surrogate
 * pair has no UTF-8.
 */
export function isWellFormedText(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

/** Whether the text has at most `max` characters, counted as code points. */
export function hasAtMost(text: string, max: number): boolean {
  // The length in UTF-16 units bounds that in code points from above and, halved, from below.
  return text.length <= max || (text.length <= 2 * max && [...text].length <= max);
}
