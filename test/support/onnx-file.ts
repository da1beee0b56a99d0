/** The element types that models of tests need, with their numbers in `TensorProto.DataType`. */
const FLOAT = 1;
const INT64 = 7;

export interface OnnxTensor {
  readonly name: string;
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

export interface OnnxNode {
  readonly op: string;
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Whole numbers, or lists of them. */
  readonly attributes?: Readonly<Record<string, number | readonly number[]>>;
}

export interface OnnxPort {
  readonly name: string;
  readonly type: 'float' | 'int64';
  /** A text is a size that is known at run time. */
  readonly shape: readonly (number | string)[];
}

export interface OnnxGraph {
  readonly inputs: readonly OnnxPort[];
  readonly outputs: readonly OnnxPort[];
  readonly nodes: readonly OnnxNode[];
  readonly weights: readonly (OnnxTensor & { readonly type?: 'float' | 'int64' })[];
}

/** The bytes of an ONNX file (onnx.proto3), so that tests can make predictable models. */
export function onnxFile({ inputs, outputs, nodes, weights }: OnnxGraph): Buffer {
  const graph = message([
    ...nodes.map((node) => field(1, node_(node))),
    field(2, text('graph')),
    ...weights.map((tensor) => field(5, tensor_(tensor))),
    ...inputs.map((port) => field(11, port_(port))),
    ...outputs.map((port) => field(12, port_(port))),
  ]);
  return message([number(1, 8), field(7, graph), field(8, message([field(1, text('')), number(2, 13)]))]);
}

function node_({ op, inputs, outputs, attributes = {} }: OnnxNode): Buffer {
  return message([
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(4, text(op)),
    ...Object.entries(attributes).map(([name, value]) =>
      field(
        5,
        typeof value === 'number'
          ? message([field(1, text(name)), number(3, value), number(20, 2)])
          : message([field(1, text(name)), ...value.map((each) => number(8, each)), number(20, 7)]),
      ),
    ),
  ]);
}

function tensor_({ name, shape, values, type = 'float' }: OnnxGraph['weights'][number]): Buffer {
  const raw =
    type === 'float'
      ? Buffer.from(Float32Array.from(values).buffer)
      : Buffer.from(BigInt64Array.from(values.map(BigInt)).buffer);
  return message([
    ...shape.map((size) => number(1, size)),
    number(2, type === 'float' ? FLOAT : INT64),
    field(8, text(name)),
    field(9, raw),
  ]);
}

function port_({ name, type, shape }: OnnxPort): Buffer {
  const dimensions = shape.map((size) =>
    field(1, typeof size === 'number' ? number(1, size) : field(2, text(size))),
  );
  const tensor = message([number(1, type === 'float' ? FLOAT : INT64), field(2, message(dimensions))]);
  return message([field(1, text(name)), field(2, field(1, tensor))]);
}

function message(fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function text(value: string): Buffer {
  return Buffer.from(value);
}

/** Length-delimited: texts, bytes and messages. */
function field(id: number, bytes: Buffer): Buffer {
  return Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes]);
}

function number(id: number, value: number): Buffer {
  return Buffer.concat([varint(id << 3), varint(value)]);
}

/** Whole numbers from 0; negative ones as the 64 bits of their two's complement. */
function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
