import type { SearchItems } from './search-items.ts';

/** What a benchmark compares. Items are known by their position. */
export interface SearchEngine {
  readonly name: string;
  build(items: SearchItems): void | Promise<void>;
  /** The positions of the best items, best first. */
  search(query: string, limit: number): readonly number[] | Promise<readonly number[]>;
  sizeBytes(): number | Promise<number>;
  close(): void | Promise<void>;
}
