import { tokenise } from '@larder/core/words/tokenise.ts';
import type { SearchDocument } from '@larder/search/index/index-builder.ts';
import type { ItemList } from './search-engine.ts';
import { misspell } from './search-items.ts';
import { Random } from './search-random.ts';

/** A query with its meaning: a correct answer contains each word, or a word that begins with an unfinished one. */
export interface BenchQuery {
  readonly kind: string;
  readonly text: string;
  readonly words: readonly string[];
  readonly isUnfinished: boolean;
}

/** Sources of queries: items, and all names that determine how common a word is. */
export interface NamedItems extends ItemList {
  readonly names: readonly string[];
}

/** Minimum names that contain a word used in queries. */
const WELL_KNOWN_FROM = 10;

interface Source {
  readonly item: SearchDocument;
  /** Words of the name that people would type. */
  readonly words: readonly string[];
  readonly random: Random;
}

type Maker = (source: Source) => Omit<BenchQuery, 'kind'> | undefined;

const whole = (text: string, words: readonly string[]) => ({ text, words, isUnfinished: false });
const unfinished = (text: string, words: readonly string[]) => ({ text, words, isUnfinished: true });

/** The fourteen kinds of query. */
const MAKERS: Readonly<Record<string, Maker>> = {
  'whole name': ({ item }) => whole(item.name, tokenise(item.name, 12)),
  'one word': ({ words, random }) => {
    const word = random.pick(words);
    return whole(word, [word]);
  },
  'two words': ({ words }) =>
    words.length < 2 ? undefined : whole(words.slice(0, 2).join(' '), words.slice(0, 2)),
  'first letters': ({ words, random }) => {
    const letters = words[0]!.slice(0, 1 + random.below(3));
    return unfinished(letters, [letters]);
  },
  unfinished: ({ words, random }) => {
    if (words.length < 2) return undefined;
    const last = words[1]!.slice(0, 2 + random.below(3));
    return unfinished(`${words[0]} ${last}`, [words[0]!, last]);
  },
  'one typo, one word': ({ words, random }) => {
    const word = words.find((candidate) => candidate.length >= 5);
    return word === undefined ? undefined : whole(misspell(word, random), [word]);
  },
  'one typo, words': ({ words, random }) => {
    if (words.length < 2) return undefined;
    const used = words.slice(0, 3);
    const at = used.findIndex((word) => word.length >= 4);
    return at < 0 ? undefined : whole(used.with(at, misspell(used[at]!, random)).join(' '), used);
  },
  'two typos': ({ words, random }) => {
    const long = words.filter((word) => word.length >= 5).slice(0, 2);
    if (long.length < 2) return undefined;
    return whole(long.map((word) => misspell(word, random)).join(' '), long);
  },
  'unfinished typo': ({ words, random }) => {
    const last = words[1];
    if (last === undefined || last.length < 7) return undefined;
    const letters = last.slice(0, 6);
    return unfinished(`${words[0]} ${misspell(letters, random)}`, [words[0]!, letters]);
  },
  'swapped words': ({ words }) =>
    words.length < 3 ? undefined : whole([words[1], words[0], words[2]].join(' '), words.slice(0, 3)),
  'joined words': ({ words }) =>
    words.length < 2 || words[0]!.length < 3 || words[1]!.length < 3
      ? undefined
      : whole([words[0]! + words[1]!, ...words.slice(2, 3)].join(' '), words.slice(0, 3)),
  'split word': ({ words, random }) => {
    const word = words.find((candidate) => candidate.length >= 7);
    if (word === undefined) return undefined;
    const cut = 3 + random.below(word.length - 5);
    return whole(`${word.slice(0, cut)} ${word.slice(cut)}`, [word]);
  },
  'brand and word': ({ item, words, random }) => {
    const brand = item.brand === undefined ? [] : tokenise(item.brand, 2);
    if (brand.length === 0) return undefined;
    const word = random.pick(words);
    return whole(random.below(2) === 0 ? `${brand.join(' ')} ${word}` : `${word} ${brand.join(' ')}`, [
      ...brand,
      word,
    ]);
  },
  'capitals, number, plural': ({ item, words, random }) => {
    const tokens = tokenise(item.name, 12);
    const at = tokens.findIndex((token) => /^\d/.test(token));
    const unit = tokens[at + 1];
    if (at > 0 && unit !== undefined && unit.length <= 3) {
      return whole(`${words[0]} ${tokens[at]}${unit}`.toUpperCase(), [words[0]!, tokens[at]!, unit]);
    }
    const word = random.pick(words);
    return whole((word.endsWith('s') ? word.slice(0, -1) : `${word}s`).toUpperCase(), [word]);
  },
};

/** `perKind` queries of each kind, each made of one item, popular items more often. */
export function makeQueries(items: NamedItems, perKind: number, seed = 4711): BenchQuery[] {
  const queries: BenchQuery[] = [];
  const known = wellKnownWords(items.names);
  for (const [index, [kind, make]] of Object.entries(MAKERS).entries()) {
    const random = new Random({ seed: seed + index });
    let made = 0;
    for (let attempt = 0; attempt < perKind * 50 && made < perKind; attempt++) {
      const item = items.at(random.skewed(items.count));
      const words = tokenise(item.name, 12).filter((word) => known.has(word));
      const query = words.length === 0 ? undefined : make({ item, words, random });
      if (query === undefined) continue;
      queries.push({ kind, ...query });
      made++;
    }
  }
  return queries;
}

/** Words that occur in several real names, as people type them, without typos of the data. */
function wellKnownWords(names: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  for (const name of names) {
    for (const word of tokenise(name, 12)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const known = [...counts].filter(([word, count]) => count >= WELL_KNOWN_FROM && /^[a-z]{3,}$/.test(word));
  return new Set(known.map(([word]) => word));
}

/** The most expensive queries. */
export function adversarialQueries(items: NamedItems): string[] {
  const counts = new Map<string, number>();
  for (let at = 0; at < Math.min(items.count, 50_000); at++) {
    for (const word of tokenise(items.at(at).name, 12)) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const common = [...counts].sort((a, b) => b[1] - a[1]).map(([word]) => word);
  const longCommon = common.filter((word) => word.length >= 7).slice(0, 40);
  const random = new Random({ seed: 99 });
  const queries = [...'abcdefghijklmnopqrstuvwxyz0123456789'].flatMap((letter) => [
    letter,
    `${letter} c`,
    `c ${letter} m s`,
  ]);
  for (let index = 0; index < 60; index++) {
    const some = Array.from({ length: 2 + (index % 11) }, () => random.pick(common.slice(0, 60)));
    const long = Array.from({ length: 1 + (index % 6) }, () => random.pick(longCommon));
    queries.push(some.join(' '), long.map((word) => misspell(misspell(word, random), random)).join(' '));
    queries.push(some.map((word) => word.slice(0, 1)).join(' '));
    queries.push(`${long.join('')}${some.join('')}`.repeat(4).slice(0, 200));
    queries.push(`${long.map((word) => misspell(word, random)).join(' ')} ${some.join(' ')}`.slice(0, 200));
  }
  return queries;
}

/** Whether a food matches the meaning of the query; singular and plural are equal. */
export function fits(query: BenchQuery, food: SearchDocument): boolean {
  const words = tokenise(`${food.name} ${food.brand ?? ''}`, 96);
  const joined = words.join('');
  return query.words.every((wanted, index) => {
    if (query.isUnfinished && index === query.words.length - 1)
      return words.some((word) => word.startsWith(wanted));
    if (words.includes(wanted) || words.includes(`${wanted}s`)) return true;
    if (wanted.endsWith('s') && words.includes(wanted.slice(0, -1))) return true;
    const next = query.words[index + 1] ?? '';
    const before = query.words[index - 1] ?? '';
    return [wanted + next, before + wanted].some((text) => text.length > 5 && joined.includes(text));
  });
}
