import { OperatorError } from '@larder/core/errors.ts';
import type { RawFoodSink } from '../normalise/raw-food.ts';
import { LineReader } from '../readers/line-reader.ts';
import { readSourceFile, type SourceFile, truncatedFile } from '../readers/source-file.ts';
import { asUtf8 } from '../readers/utf8.ts';
import { type OffReadOptions, takeProduct } from './food.ts';
import { isOffList, readOffList } from './json-list.ts';
import { OffProductReader } from './product-reader.ts';

/** Member names of products; one near the start distinguishes an export from other JSON. */
const TYPICAL =
  /"(?:code|product_name|product_type|nutriments|creator|states_tags|_keywords|categories_tags)"\s*:/;

/** Matches the response of the product API, which wraps one product. */
const ONE_PRODUCT = /^\s*\{(?:[^{]*,)?\s*"product"\s*:\s*\{/;

/**
 * Reads the export with one JSON object a line, or a list of products, in both schemas: up to 1002 `nutriments` is a flat
 * object, from 1003 on numbers are in `nutrition.aggregated_set`.
 */
export async function readOffJson(
  file: SourceFile,
  sink: RawFoodSink,
  options: OffReadOptions,
): Promise<void> {
  if (isOffList(file)) return readOffList(file, sink, options);
  refuseOtherJson(file);
  const products = new OffProductReader(sink);
  let brokenObject: number | undefined;
  const lines = new LineReader({
    onLine: (bytes, start, end, line) => {
      const where = `${file.name}:${line}`;
      const noObject = () => {
        if (bytes[start] === OPEN_BRACE) brokenObject = line;
        sink.broken(where, 'a line that is no JSON object', example());
      };
      const example = () => bytes.toString('utf8', start, Math.min(end, start + EXAMPLE_BYTES));
      try {
        const product = products.read(bytes, start, end);
        if (product === undefined) noObject();
        else if (product.code === '') sink.broken(where, 'a product without a code', example());
        else takeProduct(product, sink, options.filter, () => products.market());
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        noObject();
      }
    },
    onBroken: (line, reason, example) => {
      brokenObject = line;
      sink.broken(`${file.name}:${line}`, reason, example);
    },
  });
  for await (const chunk of asUtf8(
    file.name,
    readSourceFile(file, options.onBytesRead, options.signal),
    sink,
  ))
    lines.push(chunk);
  const unended = lines.end();
  if (unended !== undefined && unended === brokenObject) throw truncatedFile(file.path);
}

const EXAMPLE_BYTES = 120;
const OPEN_BRACE = 0x7b;

function refuseOtherJson(file: SourceFile): void {
  const start = file.head.toString('utf8');
  if (ONE_PRODUCT.test(start)) {
    throw new OperatorError(
      `${file.path} is a response about one product, in its field "product". Save only that object, or the ` +
        'response to a search.',
    );
  }
  if (start.trimStart().startsWith('{') && TYPICAL.test(start)) return;
  throw new OperatorError(
    `${file.path} is JSON, but not an Open Food Facts export with one product a line, and not a list of products. ` +
      'For FoodData Central use `larder import fdc`.',
  );
}
