import type { FoodNames, NamedFood, QueryWord } from '../food-names.ts';
import { costOfName, factorOf, MISSING_HEAD_FACTOR, namesSandwich, scoreOf } from './name-score.ts';
import { ALTERNATIVE, FIRST, flagsOf, HEAD, isHeadAlternative } from './name-sections.ts';
import { type NameWord, wordsOfName } from './name-words.ts';

/** The score that a food's best name would have in a look-up of the words; see `FoodNames.find`. */
export function scoreOfNames(
  words: readonly QueryWord[],
  { name, brand, aliases, nameLanguages = [] }: NamedFood,
  names: Pick<FoodNames, 'weightOf' | 'languages'>,
): number {
  const { languages } = names;
  const asked = new Map(words.filter(({ weight }) => weight > 0).map((word) => [word.stem, word]));
  const weigh = ({ stem, weight }: QueryWord) => weight * names.weightOf(stem);
  const total = [...asked.values()].reduce((sum, word) => sum + weigh(word), 0);
  const scores = [brand === undefined ? name : `${name}, ${brand}`, ...aliases].map((text, at) => {
    const parts = wordsOfName(text);
    const flags = flagsOf(parts);
    const seen = new Set<string>();
    const fit = { shared: 0, missing: 0, adjacent: 0, hasHead: false, lacksHead: false, isOther: false };
    let previous = -2;
    for (const [index, { stem }] of parts.entries()) {
      const word = asked.get(stem);
      if (word === undefined) {
        fit.missing += names.weightOf(stem) * factorOf(flags[index]!);
        if ((flags[index]! & (HEAD | ALTERNATIVE)) === HEAD) {
          fit.lacksHead = true;
          fit.isOther = stem === 'sandwich' && !namesSandwich(words);
        }
        continue;
      }
      if (!seen.has(stem)) fit.shared += weigh(word);
      seen.add(stem);
      if (previous === index - 1) fit.adjacent++;
      previous = index;
      if (word.isHead === true && (flags[index]! & (HEAD | FIRST)) !== 0) fit.hasHead = true;
    }
    const heads = parts.filter((_, index) => isHeadAlternative(flags[index]!));
    fit.missing += costOfHeads(heads, asked, names);
    return fit.shared === 0 ? 0 : scoreOf(fit, total) - costOfName(at > 0, nameLanguages[at] ?? 0, languages);
  });
  return Math.max(0, ...scores);
}

function costOfHeads(
  heads: readonly NameWord[],
  asked: ReadonlyMap<string, QueryWord>,
  names: Pick<FoodNames, 'weightOf'>,
): number {
  if (heads.some(({ stem }) => asked.has(stem))) return 0;
  return MISSING_HEAD_FACTOR * Math.max(0, ...heads.map(({ stem }) => names.weightOf(stem)));
}
