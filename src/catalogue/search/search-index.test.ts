import { describe, expect, it } from 'vitest';
import { SearchIndex } from './search-index.ts';
import { type SearchDocument, SearchIndexBuilder } from './search-index-builder.ts';

function indexOf(documents: readonly SearchDocument[]): SearchIndex {
  const builder = new SearchIndexBuilder();
  for (const document of documents) builder.add(document);
  return SearchIndex.open(builder.finish());
}

describe('SearchIndex', () => {
  it('finds whole words, beginnings of words, and words of brand and aliases', () => {
    const index = indexOf([
      { name: 'Crème brûlée', brand: 'Maison', popularity: 3 },
      { name: 'Milk', aliases: ['cow juice'], popularity: 0 },
    ]);
    expect(index.search('creme', 20)[0]?.document).toBe(0);
    expect(index.search('CREM mais', 20)[0]?.document).toBe(0);
    expect(index.search('juice', 20)[0]?.document).toBe(1);
    expect(index.search('bread', 20)).toEqual([]);
  });
});
