/** As much of Parquet as products of Open Food Facts need: optional texts and numbers, one of each list in a row, uncompressed. */

/** Field of a Thrift struct in the compact protocol: its number and its encoded value. */
type Field = readonly [id: number, type: number, value: Buffer];

const I32 = 5;
const I64 = 6;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;
const MAGIC = Buffer.from('PAR1');

const FLOAT = 4;
const BYTE_ARRAY = 6;
const OPTIONAL = 1;
const REPEATED = 2;
const LIST_OF = 3;
const RLE = 3;

export type Column =
  | { readonly path: readonly string[]; readonly texts: readonly string[] }
  | { readonly path: readonly string[]; readonly numbers: readonly number[] };

/**
 * The columns of one row group; all have as many values. A path of one name is a plain column, of four the member of a list.
 * `claimed`: values that each page says it has, and rows that each group says it has.
 */
export function parquetFile(
  groups: readonly (readonly Column[])[],
  claimed: { readonly values?: number; readonly rows?: number } = {},
): Buffer {
  const parts: Buffer[] = [MAGIC];
  let offset = MAGIC.length;
  const rowGroups = groups.map((columns) => {
    const rows = valuesOf(columns[0]!).length;
    const chunks = columns.map((column) => {
      const page = dataPage(column, rows, claimed.values);
      const at = offset;
      parts.push(page);
      offset += page.length;
      return struct([2, I64, integer(at)], [3, STRUCT, chunkMeta(column, rows, page.length, at)]);
    });
    return struct(
      [1, LIST, list(STRUCT, chunks)],
      [2, I64, integer(offset)],
      [3, I64, integer(claimed.rows ?? rows)],
    );
  });
  const rows = groups.reduce((sum, columns) => sum + valuesOf(columns[0]!).length, 0);
  const meta = struct(
    [1, I32, integer(2)],
    [2, LIST, list(STRUCT, schemaOf(groups[0]!))],
    [3, I64, integer(rows)],
    [4, LIST, list(STRUCT, rowGroups)],
  );
  const length = Buffer.alloc(4);
  length.writeUInt32LE(meta.length);
  return Buffer.concat([...parts, meta, length, MAGIC]);
}

function valuesOf(column: Column): readonly unknown[] {
  return 'texts' in column ? column.texts : column.numbers;
}

function typeOf(column: Column): number {
  return 'texts' in column ? BYTE_ARRAY : FLOAT;
}

/** Depth first: columns of one list stand behind each other. */
function schemaOf(columns: readonly Column[]): Buffer[] {
  const leaf = (column: Column) =>
    struct(
      [1, I32, integer(typeOf(column))],
      [3, I32, integer(OPTIONAL)],
      [4, BINARY, binary(column.path.at(-1)!)],
      ...('texts' in column ? [[6, I32, integer(0)] as Field] : []),
    );
  const group = (name: string, repetition: number, children: number, ...more: Field[]) =>
    struct([3, I32, integer(repetition)], [4, BINARY, binary(name)], [5, I32, integer(children)], ...more);
  const tops = [...new Set(columns.map(({ path }) => path[0]!))];
  const elements = tops.flatMap((top) => {
    const members = columns.filter(({ path }) => path[0] === top);
    if (members[0]!.path.length === 1) return [leaf(members[0]!)];
    const kind: Field = [6, I32, integer(LIST_OF)];
    return [
      group(top, OPTIONAL, 1, kind),
      group('list', REPEATED, 1),
      group('element', OPTIONAL, members.length),
      ...members.map(leaf),
    ];
  });
  return [struct([4, BINARY, binary('schema')], [5, I32, integer(tops.length)]), ...elements];
}

function dataPage(column: Column, rows: number, claimedValues = rows): Buffer {
  const isListed = column.path.length > 1;
  const values =
    'texts' in column
      ? column.texts.map((text) => {
          const bytes = Buffer.from(text);
          const length = Buffer.alloc(4);
          length.writeUInt32LE(bytes.length);
          return Buffer.concat([length, bytes]);
        })
      : column.numbers.map((number) => {
          const bytes = Buffer.alloc(4);
          bytes.writeFloatLE(number);
          return bytes;
        });
  const levels = isListed ? [sameLevel(0, rows), sameLevel(4, rows)] : [sameLevel(1, rows)];
  const body = Buffer.concat([...levels, ...values]);
  const page = struct(
    [1, I32, integer(claimedValues)],
    [2, I32, integer(0)],
    [3, I32, integer(RLE)],
    [4, I32, integer(RLE)],
  );
  const header = struct(
    [1, I32, integer(0)],
    [2, I32, integer(body.length)],
    [3, I32, integer(body.length)],
    [5, STRUCT, page],
  );
  return Buffer.concat([header, body]);
}

/** One run of the same level, behind its length. */
function sameLevel(level: number, rows: number): Buffer {
  const run = Buffer.concat([varint(rows * 2), Buffer.from([level])]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(run.length);
  return Buffer.concat([length, run]);
}

function chunkMeta(column: Column, rows: number, bytes: number, offset: number): Buffer {
  return struct(
    [1, I32, integer(typeOf(column))],
    [2, LIST, list(I32, [integer(0), integer(RLE)])],
    [3, LIST, list(BINARY, column.path.map(binary))],
    [4, I32, integer(0)],
    [5, I64, integer(rows)],
    [6, I64, integer(bytes)],
    [7, I64, integer(bytes)],
    [9, I64, integer(offset)],
  );
}

function struct(...fields: readonly Field[]): Buffer {
  let last = 0;
  const encoded = fields.map(([id, type, value]) => {
    const head = Buffer.from([((id - last) << 4) | type]);
    last = id;
    return Buffer.concat([head, value]);
  });
  return Buffer.concat([...encoded, Buffer.from([0])]);
}

function list(type: number, items: readonly Buffer[]): Buffer {
  const head =
    items.length < 15
      ? Buffer.from([(items.length << 4) | type])
      : Buffer.concat([Buffer.from([0xf0 | type]), varint(items.length)]);
  return Buffer.concat([head, ...items]);
}

function binary(text: string): Buffer {
  const bytes = Buffer.from(text);
  return Buffer.concat([varint(bytes.length), bytes]);
}

/** Zigzag: none of these is negative. */
function integer(value: number): Buffer {
  return varint(value * 2);
}

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) | 128);
  return Buffer.from([...bytes, left]);
}
