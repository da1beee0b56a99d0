/** The singular of an English kitchen noun, or of a phrase that ends with one, by rule. Other words lose a final s. */
export function singularOf(word: string): string {
  if (word.length < 4 || word.endsWith('ss')) return word === 'lbs' ? 'lb' : word === 'gs' ? 'g' : word;
  if (/(?:ch|sh|ss|x)es$/.test(word)) return word.slice(0, -2);
  if (/(?:al|oa|li|ea)ves$/.test(word)) return `${word.slice(0, -3)}f`;
  if (word.endsWith('ies')) return word === 'cookies' ? 'cookie' : `${word.slice(0, -3)}y`;
  if (word.endsWith('oes')) return word.slice(0, -2);
  return word.endsWith('s') ? word.slice(0, -1) : word;
}
