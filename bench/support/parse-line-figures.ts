import { languageOf } from '@larder/text/language.ts';
import { numberValue } from '@larder/text/numbers.ts';
import { tokenise } from '@larder/text/tokens.ts';

/** A line with the label of a person or a tool. */
export interface LabelledLine {
  readonly source: string;
  readonly line: string;
  /** Quantities and units in the order of the line, as labelled. */
  readonly quantity: string;
  readonly unit: string;
  readonly name: string;
}

/** The result of a reader for a line; units are names. */
export interface ReadLine {
  readonly amount?: { readonly quantity: number; readonly unit?: string };
  /** Measures of what each piece contains, and repetitions of the amount: "1 (14 oz) can", "2 onions (300 g)". */
  readonly otherUnits?: readonly string[];
  /** All amounts, the first one included. */
  readonly all?: { readonly quantities: readonly number[]; readonly units: readonly string[] };
  readonly name: string;
}

export interface AmountMatch {
  /** The first quantity and its unit, or, where that counts things, the unit of what each one or all of them measure. */
  readonly lead: boolean;
  /** Equal to the first labelled quantity and the first labelled unit. */
  readonly strict: boolean;
  readonly all: boolean;
  readonly miss: string;
}

/** Lines of a table with a header: source, line, quantity, unit, name. `#1$2` is a half. */
export function labelledLines(table: string): LabelledLine[] {
  const [header, ...rows] = table.trimEnd().split('\n');
  const columns = header!.split('\t');
  return rows.map((row) => {
    const cells = row.split('\t');
    const cell = (name: string) => cells[columns.indexOf(name)] ?? '';
    return {
      source: cell('source'),
      line: cell('line'),
      quantity: cell('quantity'),
      unit: cell('unit'),
      name: cell('name'),
    };
  });
}

export function amountMatches(labelled: LabelledLine, read: ReadLine): AmountMatch {
  const quantities = labelledQuantities(labelled.quantity);
  const units = labelledUnits(labelled.unit);
  const first = { quantity: quantities[0] ?? (units.length > 0 ? 1 : undefined), unit: units[0] };
  const { amount, otherUnits = [] } = read;
  const sameQuantity = close(amount?.quantity, first.quantity);
  const unit = amount?.unit === undefined ? undefined : unitName(amount.unit);
  const strict = sameQuantity && unit === first.unit;
  // The label lists quantities and units separately: the first unit of "1 (14 oz) can" belongs to the second
  // number.
  const counted = sameQuantity && (unit === undefined || units.includes(unit)) && first.unit !== undefined;
  const lead = strict || (counted && otherUnits.some((other) => unitName(other) === first.unit));
  const all =
    lead && sameBag(quantities, read.all?.quantities ?? []) && sameUnits(units, read.all?.units ?? []);
  return { lead, strict, all, miss: missOf(sameQuantity, first, amount) };
}

function missOf(
  sameQuantity: boolean,
  labelled: { readonly quantity?: number | undefined; readonly unit?: string | undefined },
  read: ReadLine['amount'],
): string {
  if (read === undefined) return 'none read';
  if (labelled.quantity === undefined) return 'none labelled';
  if (!sameQuantity) return 'other quantity';
  if (read.unit === undefined) return 'no unit read';
  return labelled.unit === undefined ? 'no unit labelled' : 'other unit';
}

const ENGLISH = languageOf('en');

function labelledQuantities(text: string): number[] {
  return text
    .replace(/(\d+) dozen/g, (_, count) => String(12 * Number(count)))
    .split(' ')
    .filter((word) => word !== '')
    .map((word) => {
      const plain = word
        .replace(/^(\d*)#(\d+)\$(\d+)/, (_, whole, above, below) => `${whole} ${above}/${below}`)
        .trim();
      const low = /^[\d ./,½]+/.exec(plain)?.[0].trim();
      if (low !== undefined) return numberValue(low, '.');
      const tokens = tokenise(plain);
      return (
        ENGLISH.cardinals.at(tokens, 0)?.value ??
        ENGLISH.fractions.at(tokens, 0)?.value ??
        ENGLISH.groups.at(tokens, 0)?.value ??
        ENGLISH.vague.at(tokens, 0)?.value ??
        Number.NaN
      );
    });
}

/** Unit names of a label in their order, without sizes: "small bunch g oz" is bunch, g, oz. */
function labelledUnits(text: string): string[] {
  const tokens = tokenise(text);
  const found: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const unit = ENGLISH.units.at(tokens, at);
    const skipped = ENGLISH.sizes.at(tokens, at) ?? ENGLISH.qualifiers.at(tokens, at);
    if (unit !== undefined) found.push(unit.value);
    else if (skipped === undefined && tokens[at]!.kind === 'word') found.push(singular(tokens[at]!.folded));
    at = unit?.end ?? skipped?.end ?? at + 1;
  }
  return found;
}

export function unitName(unit: string): string {
  return labelledUnits(unit.replace('_', ' '))[0] ?? '';
}

function sameUnits(labelled: readonly string[], read: readonly string[]): boolean {
  return read.map(unitName).sort().join(' ') === [...labelled].sort().join(' ');
}

function sameBag(a: readonly number[], b: readonly number[]): boolean {
  const [left, right] = [a, b].map((numbers) => [...numbers].sort((x, y) => x - y));
  return left!.length === right!.length && left!.every((number, at) => close(number, right![at]));
}

function close(a: number | undefined, b: number | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return Math.abs(a - b) <= 0.01 * Math.max(Math.abs(a), Math.abs(b));
}

/** Number of equal words of two names; a repeated word counts as often as both names have it. */
export function nameScore(labelled: string, read: string) {
  const theirs = nameWords(labelled);
  const ours = nameWords(read);
  const left = [...theirs];
  let common = 0;
  for (const word of ours) {
    const at = left.indexOf(word);
    if (at >= 0) {
      common++;
      left.splice(at, 1);
    }
  }
  const f1 = theirs.length + ours.length === 0 ? 1 : (2 * common) / (theirs.length + ours.length);
  return { common, read: ours.length, labelled: theirs.length, f1 };
}

function nameWords(name: string): string[] {
  return tokenise(name)
    .filter((token) => token.kind === 'word' || token.kind === 'number')
    .map((token) => singular(token.folded));
}

/** Used only so that "leaf" equals "leaves" in a comparison. */
function singular(word: string): string {
  if (word.length < 4) return word;
  if (/ves$/.test(word)) return `${word.slice(0, -3)}f`.replace(/ivf$/, 'ive');
  if (/ies$/.test(word)) return `${word.slice(0, -3)}y`;
  if (/(?:[sxz]|ch|sh|o)es$/.test(word)) return word.slice(0, -2);
  return /[^su]s$/.test(word) ? word.slice(0, -1) : word;
}
