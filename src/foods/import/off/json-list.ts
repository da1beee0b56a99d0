import { OperatorError } from '@larder/core/errors.ts';
import type { RawFoodSink } from '../normalise/raw-food.ts';
import { JsonElements } from '../readers/json-elements.ts';
import { readSourceFile, type SourceFile } from '../readers/source-file.ts';
import { asUtf8 } from '../readers/utf8.ts';
import { type OffReadOptions, takeProduct } from './food.ts';
import { OffProductReader } from './product-reader.ts';

/** Matches the lists in search responses of the product API and of the search service. */
const LIST = /"(?:products|hits)"\s*:\s*\[/;
const LISTS = ['products', 'hits'];
/** Matches members of a product; the list of the outermost object precedes them. */
const MEMBER_OF_PRODUCT = /"(?:code|_id|product_name|nutriments)"\s*:/;
const MAX_PRODUCT_MIB = 4;
const EXAMPLE_BYTES = 120;

/** Whether a JSON file is one list of products, instead of one product a line. */
export function isOffList({ head }: SourceFile): boolean {
  const start = head
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (start.startsWith('[')) return MEMBER_OF_PRODUCT.test(start);
  const list = start.search(LIST);
  const member = start.search(MEMBER_OF_PRODUCT);
  return list !== -1 && (member === -1 || list < member);
}

/** Reads the search response of Open Food Facts, `{"products": […]}`, or a plain list of products. */
export async function readOffList(
  file: SourceFile,
  sink: RawFoodSink,
  options: OffReadOptions,
): Promise<void> {
  const products = new OffProductReader(sink);
  let count = 0;
  const broken = (reason: string, bytes: Buffer) =>
    sink.broken(`${file.name}, product ${count}`, reason, bytes.toString('utf8', 0, EXAMPLE_BYTES));
  const elements = new JsonElements({
    isWanted: (key) => LISTS.includes(key),
    maxElementBytes: MAX_PRODUCT_MIB * 1024 * 1024,
    onTooLarge(start) {
      count++;
      broken(`a product of more than ${MAX_PRODUCT_MIB} MiB`, start);
    },
    onElement(bytes) {
      count++;
      try {
        const product = products.read(bytes, 0, bytes.length);
        if (product === undefined) broken('no valid JSON', bytes);
        else if (product.code === '') broken('a product without a code', bytes);
        else takeProduct(product, sink, options.filter, () => products.market());
      } catch (error) {
        if (!(error instanceof SyntaxError)) throw error;
        broken('no valid JSON', bytes);
      }
    },
  });
  for await (const chunk of asUtf8(
    file.name,
    readSourceFile(file, options.onBytesRead, options.signal),
    sink,
  ))
    elements.push(chunk);
  if (elements.isWhole) return;
  throw new OperatorError(
    `${file.path} ends in the middle of the list: its copy or download is incomplete. Get it again.`,
  );
}
