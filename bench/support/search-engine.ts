import type { SearchDocument } from '@larder/search/index/index-builder.ts';

/** The searched data, in static order. */
export interface ItemList {
  readonly count: number;
  at(position: number): SearchItem;
}

export interface SearchItem extends SearchDocument {
  /** A food without brand and barcode, which is also found by meaning. */
  readonly isGeneric?: true;
}

/** A search engine to compare. Items are identified by their position. */
export interface SearchEngine {
  readonly name: string;
  build(items: ItemList): void | Promise<void>;
  /** The positions of the best items, best first. */
  search(query: string, limit: number): readonly number[] | Promise<readonly number[]>;
  sizeBytes(): number | Promise<number>;
  close(): void | Promise<void>;
}
