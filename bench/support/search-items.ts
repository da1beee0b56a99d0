import type { SearchDocument } from '@larder/search/index/index-builder.ts';
import { Random } from './search-random.ts';
import { namesAndBrands } from './search-real-data.ts';

const BRANDED_SHARE = 0.6;

/**
 * Any number of foods with real names: unchanged, recombined or misspelt. An item depends only on its number, so
 * millions need no memory and every run has the same ones.
 */
export class SearchItems {
  readonly count: number;
  /** The real names that items are made of. */
  readonly names: readonly string[];
  readonly #brands: readonly string[];
  /** Position in static order → number of the item. */
  readonly #order: Uint32Array;

  constructor(ports: { readonly count: number }) {
    this.count = ports.count;
    const { names, brands } = namesAndBrands();
    this.names = names;
    this.#brands = brands;
    this.#order = this.#staticOrder();
  }

  /** The item at a position of the static order: popularity first, then shorter names. */
  at(position: number): SearchDocument {
    return this.#make(this.#order[position]!);
  }

  #make(item: number): SearchDocument {
    const random = new Random({ seed: item });
    const popularity = Math.floor(256 * random.next() ** 4);
    const name = this.#name(random);
    if (random.next() >= BRANDED_SHARE) return { name, popularity };
    return { name, brand: this.#brands[random.skewed(this.#brands.length)]!, popularity };
  }

  #name(random: Random): string {
    const first = random.pick(this.names);
    const kind = random.next();
    if (kind < 0.25) return first;
    const words = first.split(' ');
    const others = random.pick(this.names).split(' ');
    if (kind < 0.55) return words.with(random.below(words.length), random.pick(others)).join(' ');
    if (kind < 0.75) return [...words, random.pick(others)].join(' ');
    if (kind < 0.97)
      return [...words.slice(0, 1 + random.below(3)), ...others.slice(-1 - random.below(3))].join(' ');
    return misspell(first, random);
  }

  #staticOrder(): Uint32Array {
    const keys = new Float64Array(this.count);
    for (let item = 0; item < this.count; item++) {
      const { name, popularity } = this.#make(item);
      // One number to sort by: popularity descending, then length, then the item's number, which can be
      // extracted again.
      keys[item] = ((255 - popularity) * 256 + Math.min(255, name.length)) * 2 ** 32 + item;
    }
    keys.sort();
    return Uint32Array.from(keys, (key) => key % 2 ** 32);
  }
}

/** One typo after the first letter: a letter missing, doubled, replaced, or swapped with the next. */
export function misspell(word: string, random: Random): string {
  const at = 1 + random.below(Math.max(1, word.length - 2));
  const letter = String.fromCharCode(97 + random.below(26));
  const kind = random.below(4);
  if (kind === 0) return word.slice(0, at) + word.slice(at + 1);
  if (kind === 1) return word.slice(0, at) + letter + word.slice(at);
  if (kind === 2) return word.slice(0, at) + letter + word.slice(at + 1);
  return word.slice(0, at) + (word[at + 1] ?? '') + word[at]! + word.slice(at + 2);
}
