import { SearchIndexBuilder } from '../../src/catalogue/search/index/index-builder.ts';
import type { SearchSections } from '../../src/catalogue/search/index/sections.ts';
import { SearchIndex } from '../../src/catalogue/search/search-index.ts';
import type { ItemList, SearchEngine } from './search-engine.ts';

/** The project's own index, on one SharedArrayBuffer as a running service has it. */
export class LarderEngine implements SearchEngine {
  readonly name = 'larder';
  #sections: SearchSections = {};
  #index: SearchIndex | undefined;

  build(items: ItemList): void {
    const builder = new SearchIndexBuilder();
    for (let position = 0; position < items.count; position++) builder.add(items.at(position));
    this.#sections = shared(builder.finish());
    this.#index = SearchIndex.open(this.#sections);
  }

  /** How long a process that finds the sections in memory takes to open them. */
  openMs(): number {
    const startedAt = performance.now();
    SearchIndex.open(this.#sections);
    return performance.now() - startedAt;
  }

  search(query: string, limit: number): readonly number[] {
    return this.#index!.search(query, limit).map((hit) => hit.document);
  }

  sizeBytes(): number {
    return Object.values(this.#sections).reduce((sum, section) => sum + section.byteLength, 0);
  }

  close(): void {}
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
