import type { SearchDocument } from '@larder/search/index/index-builder.ts';

/** What is searched, in static order. */
export interface ItemList {
  readonly count: number;
  at(position: number): SearchItem;
}

export interface SearchItem extends SearchDocument {
  /** A food without maker and barcode, which is found by meaning, too. */
  readonly isGeneric?: true;
}

/** What a benchmark compares. Items are known by their position. */
export interface SearchEngine {
  readonly name: string;
  build(items: ItemList): void | Promise<void>;
  /** The positions of the best items, best first. */
  search(query: string, limit: number): readonly number[] | Promise<readonly number[]>;
  sizeBytes(): number | Promise<number>;
  close(): void | Promise<void>;
}
