import { fileURLToPath } from 'node:url';
import { SearchIndexBuilder } from '@larder/search/index/index-builder.ts';
import type { SearchSections } from '@larder/search/index/sections.ts';
import { MeaningIndex, MeaningIndexBuilder, withProposals } from '@larder/search/meaning-index.ts';
import { SearchIndex } from '@larder/search/search-index.ts';
import type { WordVectorSections } from '@larder/search/word-vectors.ts';
import { searchWithAmounts } from '@larder/text/parse/searching/search-with-amounts.ts';
import { readWordVectors } from '../../src/foods/compile/read-word-vectors.ts';
import type { ItemList, SearchEngine } from './search-engine.ts';

const WORD_VECTORS = fileURLToPath(new URL('../../models/food-words', import.meta.url));

/** Loads the indexes of production, each into one SharedArrayBuffer as a running service does. */
export class LarderEngine implements SearchEngine {
  readonly name: string;
  readonly #words: WordVectorSections | undefined;
  #sections: SearchSections = {};
  #index: SearchIndex | undefined;
  #items: ItemList | undefined;
  #vectors: SearchSections = {};
  #meaning: MeaningIndex | undefined;

  constructor({ meaning = true }: { meaning?: boolean } = {}) {
    this.name = meaning ? 'larder' : 'larder, words';
    this.#words = meaning ? readWordVectors(WORD_VECTORS) : undefined;
  }

  build(items: ItemList): void {
    this.#items = items;
    const builder = new SearchIndexBuilder();
    for (let position = 0; position < items.count; position++) builder.add(items.at(position));
    this.#sections = shared(builder.finish());
    this.#index = SearchIndex.open(this.#sections);
    if (this.#words === undefined) return;
    const meaning = new MeaningIndexBuilder({ words: this.#words });
    for (let position = 0; position < items.count; position++) {
      const { isGeneric, name } = items.at(position);
      if (isGeneric) meaning.add(position, name);
    }
    this.#vectors = shared(meaning.finish());
    this.#meaning = MeaningIndex.open(this.#vectors);
  }

  /** Time that a process needs to open sections that are in memory. */
  openMs(): number {
    const startedAt = performance.now();
    SearchIndex.open(this.#sections);
    return performance.now() - startedAt;
  }

  search(query: string, limit: number): readonly number[] {
    return searchWithAmounts(query, limit, (text, most) => this.#find(text, most)).map(
      ({ document }) => document,
    );
  }

  #find(query: string, limit: number) {
    const found = this.#index!.find(query, limit);
    const items = this.#items!;
    return withProposals(found, this.#meaning, { query, limit }).map(({ document, score }) => ({
      document,
      score,
      // Items are generated on demand, which takes longer than reading a food.
      get food() {
        return { ...items.at(document), id: document };
      },
    }));
  }

  /** Whether the words find so few foods that foods are proposed by meaning. */
  asksForMeaning(query: string, limit: number): boolean {
    return this.#index!.find(query, limit).complete < limit;
  }

  /** Runs only the proposals by meaning. */
  proposals(query: string): readonly unknown[] {
    return withProposals({ hits: [], complete: 0 }, this.#meaning, { query, limit: 1 });
  }

  sizeBytes(): number {
    return bytesOf(this.#sections) + this.meaningBytes();
  }

  meaningBytes(): number {
    return bytesOf(this.#vectors);
  }

  close(): void {}
}

function bytesOf(sections: SearchSections): number {
  return Object.values(sections).reduce((sum, section) => sum + section.byteLength, 0);
}

/** Copies all sections into one buffer, each at a multiple of eight bytes. */
function shared(sections: SearchSections): SearchSections {
  const padded = (bytes: number) => Math.ceil(bytes / 8) * 8;
  const total = Object.values(sections).reduce((sum, section) => sum + padded(section.byteLength), 0);
  const buffer = new SharedArrayBuffer(total);
  const views: Record<string, Uint8Array | Uint16Array | Uint32Array> = {};
  let at = 0;
  for (const [name, section] of Object.entries(sections)) {
    const View = section.constructor as new (b: SharedArrayBuffer, o: number, l: number) => Uint32Array;
    const view = new View(buffer, at, section.length);
    view.set(section);
    views[name] = view;
    at += padded(section.byteLength);
  }
  return views;
}
