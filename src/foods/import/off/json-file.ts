import { OperatorError } from '@larder/core/errors.ts';
import type { RawFoodSink } from '../normalise/raw-food.ts';
import { JsonElements } from '../readers/json-elements.ts';
import { LineReader } from '../readers/line-reader.ts';
import { readSourceFile, type SourceFile, truncatedFile } from '../readers/source-file.ts';
import { asUtf8 } from '../readers/utf8.ts';
import { type OffReadOptions, takeProduct } from './food.ts';
import { OffProductReader } from './product-reader.ts';

const EXAMPLE_BYTES = 120;
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

/** Matches the lists in search responses of the product API and of the search service. */
const LIST = /"(?:products|hits)"\s*:\s*\[/;
const LISTS = ['products', 'hits'];
/** Matches members of a product; the list of the outermost object precedes them. */
const MEMBER_OF_PRODUCT = /"(?:code|_id|product_name|nutriments)"\s*:/;
const MAX_PRODUCT_MIB = 4;

/** Whether a JSON file is one list of products, instead of one product a line. */
function isOffList({ head }: SourceFile): boolean {
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
async function readOffList(file: SourceFile, sink: RawFoodSink, options: OffReadOptions): Promise<void> {
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
