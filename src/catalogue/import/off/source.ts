import { OperatorError } from '../../../errors.ts';
import type { RawFoodSink } from '../normalise/raw-food.ts';
import type { ReadOptions, SourceContent, SourceFile } from '../readers/source-file.ts';
import { readOffCsv } from './csv-file.ts';
import { readOffJsonl } from './jsonl-file.ts';
import { readOffParquet } from './parquet-file.ts';

type Reader = (file: SourceFile, sink: RawFoodSink, options: ReadOptions) => Promise<void>;

const READERS: Readonly<Partial<Record<SourceContent, Reader>>> = {
  json: readOffJsonl,
  text: readOffCsv,
  parquet: readOffParquet,
};

/** Reads an export of Open Food Facts: JSON lines, tab-separated or Parquet, recognised by content. */
export async function readOffFile(
  file: SourceFile,
  sink: RawFoodSink,
  options: ReadOptions = {},
): Promise<void> {
  const reader = READERS[file.content];
  if (reader === undefined) {
    const found = file.content === 'empty' ? 'is empty' : `holds ${file.content} data`;
    throw new OperatorError(
      `${file.path} ${found}. An export of Open Food Facts is JSON lines, a tab-separated table (both also with gzip) or Parquet.`,
    );
  }
  await reader(file, sink, options);
}
