import { count } from '../../../base/texts.ts';
import type { ReadOptions, SourceFile } from '../readers/source-file.ts';
import { countOffParquet } from './parquet-file.ts';
import type { SliceFilter } from './slice.ts';

/**
 * What a product takes on the disk in the segment and in the catalogue: 260 bytes in the extract of 2019, and 110 in the
 * segment alone of 1,000 products of 2026, which have more names and nutrients.
 */
const BYTES_PER_PRODUCT = 350;
/** Bytes of a product in an export, measured on the official ones of 2026. */
const EXPORTED_BYTES = { json: 30_000, text: 2_000 };
const PACKED_BYTES = { json: 2_500, text: 280 };
const MEGABYTE = 1_000_000;

/**
 * The size of a slice, as a text for people, before the file is read. Parquet tells it by some columns; other exports
 * are one stream, which only reading all of it tells about.
 */
export async function expectedSize(
  file: SourceFile,
  filter: SliceFilter,
  options: ReadOptions,
): Promise<string> {
  if (file.content === 'parquet') {
    const { products, chosen } = await countOffParquet(file, filter, options);
    return `${count(chosen)} of ${count(products)} products, some ${onDisk(chosen)}`;
  }
  const bytes = file.gzipped ? PACKED_BYTES : EXPORTED_BYTES;
  const products = file.sizeBytes / bytes[file.content === 'json' ? 'json' : 'text'];
  return `a part of the ${onDisk(products)} that all of it would take`;
}

function onDisk(products: number): string {
  return `${count(Math.max(1, Math.round((products * BYTES_PER_PRODUCT) / MEGABYTE)))} MB on the disk`;
}
