import type { CallOptions } from './options.ts';
import type { Call } from './transport.ts';

/** Path segments that URLs resolve, however they are encoded. */
const UNADDRESSABLE = ['', '.', '..'];

/** A value as a segment of a path. */
export function encode(value: string): string {
  if (UNADDRESSABLE.includes(value)) throw new TypeError(`${JSON.stringify(value)} is no id.`);
  return encodeURIComponent(value);
}

/** The query string of all parameters that have a value. */
export function queryOf(parameters: object): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) query.set(name, `${value}`);
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** Digits are part of the path, as in every version of the service; other codes, such as links, are in the query. */
export function barcodePath(variant: '/v1' | '', code: string, query: object): string {
  return /^\d+$/.test(code)
    ? `${variant}/foods/barcode/${code}${queryOf(query)}`
    : `${variant}/foods/barcode${queryOf({ code, ...query })}`;
}

/** The call of any operation, and its query, for `ask` and `list`. */
export function callOf(
  name: string,
  { body, path, query = {} }: { body?: unknown; path?: unknown; query?: unknown } = {},
  options?: CallOptions,
): [call: Call, query: object] {
  const [method, template] = name.split(' ') as [NonNullable<Call['method']>, string];
  const ids = path as Readonly<Record<string, string>>;
  const address = template.replaceAll(/\{(\w+)\}/g, (_, id: string) => encode(ids[id]!));
  return [{ method, path: address, body, options }, query as object];
}
