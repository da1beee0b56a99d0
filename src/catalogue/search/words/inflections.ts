/**
 * Endings that turn one number, case or gender of a food word into another, in English, French, German, Spanish,
 * Italian, Portuguese and Dutch. Both directions are tried, and only forms in the dictionary count, so the rules may
 * be generous.
 */
const ENDINGS: readonly (readonly [from: string, to: string])[] = [
  ['', 's'],
  ['', 'es'],
  ['', 'e'],
  ['', 'x'],
  ['', 'n'],
  ['', 'en'],
  ['', 'er'],
  ['', 'ed'],
  ['y', 'ies'],
  ['f', 'ves'],
  ['fe', 'ves'],
  ['al', 'aux'],
  ['a', 'e'],
  ['o', 'i'],
  ['o', 'a'],
  ['os', 'as'],
  ['e', 'i'],
  ['ao', 'oes'],
  ['e', 'es'],
  ['z', 'ces'],
];
/** Shorter stems match too many unrelated words. */
const MIN_STEM = 3;

/** The longest ending that is removed. */
const LONGEST_ENDING = Math.max(...ENDINGS.flat().map((ending) => ending.length));

/** The common prefix of the word and all its forms. */
export function stemOf(word: string): string {
  return word.slice(0, Math.max(MIN_STEM, word.length - LONGEST_ENDING));
}

/** Other possible forms of the word; many do not exist. */
export function inflectionsOf(word: string): string[] {
  const forms = new Set<string>();
  for (const [from, to] of ENDINGS) {
    swapEnding(word, from, to, forms);
    swapEnding(word, to, from, forms);
  }
  forms.delete(word);
  return [...forms];
}

function swapEnding(word: string, from: string, to: string, into: Set<string>): void {
  const stem = word.length - from.length;
  if (stem >= MIN_STEM && word.endsWith(from)) into.add(word.slice(0, stem) + to);
}

/** Keyboards without umlauts give "kaese" for "käse". */
export function withoutDigraphs(word: string): string[] {
  const plain = word.replace(/([aou])e/g, '$1');
  return plain === word || plain.length < MIN_STEM ? [] : [plain];
}
