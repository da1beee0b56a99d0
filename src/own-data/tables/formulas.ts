/**
 * Text that a spreadsheet would run as a formula (OWASP, "CSV Injection"), full-width signs included, which some convert.
 * Apostrophes before it are part of the text.
 */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

/** An apostrophe in front makes a formula text. Numbers of the diary are never negative, so none of them is touched. */
export function guardFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Undoes `guardFormula`. */
export function unguardFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
