/**
 * Whether every database keeps the text and gives it back as it was: PostgreSQL takes no NUL, and half of a surrogate
 * pair has no UTF-8.
 */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}
