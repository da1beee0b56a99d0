import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Food, type KnownProduct, parseFoodId } from '@larder/core/food.ts';
import type { WordVectorSections } from '@larder/search/word-vectors.ts';
import { Catalogue } from '../../src/foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../src/foods/catalogue/load-catalogue.ts';
import { SegmentWriter } from '../../src/foods/catalogue/segment.ts';
import { compileCatalogue } from '../../src/foods/compile/compile.ts';
import type { CompileReport } from '../../src/foods/compile/compile-report.ts';
import { readStarterFoods } from '../../src/foods/starter/starter-foods.ts';

export const COMPILED_AT = Date.UTC(2026, 3, 21);

export interface CompiledFoods {
  readonly catalogue: Catalogue;
  readonly image: SharedArrayBuffer;
  readonly report: CompileReport;
}

/** Writes a segment of foods and products, in that order. */
export async function writeSegment(
  file: string,
  foods: readonly Food[],
  products: readonly KnownProduct[] = [],
): Promise<void> {
  const writer = SegmentWriter.open(file);
  for (const food of foods) writer.add(food);
  for (const product of products) writer.addKnown(product);
  const origin = parseFoodId((foods[0] ?? products[0])?.id ?? '')?.origin ?? 'off';
  await writer.finish({ origin, importedAt: COMPILED_AT / 1000, sources: ['test'] });
}

/** The shipped catalogue, for servers. */
export async function starterCatalogue(): Promise<{ readonly current: Catalogue }> {
  const { catalogue } = await compileFoods([[...readStarterFoods()]]);
  return { current: catalogue };
}

/**
 * A catalogue of these foods, compiled in a temporary folder. Each list of foods is one import; with `words`
 * foods are found by meaning, too.
 */
export async function compileFoods(
  imports: readonly (readonly Food[])[],
  products: readonly KnownProduct[] = [],
  words?: WordVectorSections,
): Promise<CompiledFoods> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-catalogue-'));
  try {
    const segments = imports.map((_, i) => join(folder, `${i}.segment`));
    for (const [i, foods] of imports.entries()) {
      await writeSegment(segments[i]!, foods, i === imports.length - 1 ? products : []);
    }
    const out = join(folder, 'test.catalogue');
    const report = await compileCatalogue({ segments, out, words, nowMs: () => COMPILED_AT });
    const image = await loadCatalogueImage(out);
    return { catalogue: Catalogue.open(image), image, report };
  } finally {
    await rm(folder, { recursive: true });
  }
}
