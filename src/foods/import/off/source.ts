import { OperatorError } from '@larder/core/errors.ts';
import type { RawFoodSink } from '../normalise/raw-food.ts';
import type { SourceContent, SourceFile } from '../readers/source-file.ts';
import { readOffCsv } from './csv-file.ts';
import type { OffReadOptions } from './food.ts';
import { readOffJson } from './json-file.ts';
import { readOffParquet } from './parquet-file.ts';

type Reader = (file: SourceFile, sink: RawFoodSink, options: OffReadOptions) => Promise<void>;

const READERS: Readonly<Partial<Record<SourceContent, Reader>>> = {
  json: readOffJson,
  text: readOffCsv,
  parquet: readOffParquet,
};

/** Reads an export of Open Food Facts: JSON lines or a list, a table or Parquet, recognised by content. */
export async function readOffFile(
  file: SourceFile,
  sink: RawFoodSink,
  options: OffReadOptions = {},
): Promise<void> {
  const reader = READERS[file.content];
  if (reader === undefined) {
    const found = file.content === 'empty' ? 'is empty' : `holds ${file.content} data`;
    const excel = file.content === 'zip' ? ' An Excel file has to be saved as CSV first.' : '';
    throw new OperatorError(
      `${file.path} ${found}. An export of Open Food Facts is JSON, a tab-separated table (both also with gzip) or Parquet.${excel}`,
    );
  }
  await reader(file, sink, options);
}
