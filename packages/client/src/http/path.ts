/** Path segments that URLs resolve, however they are encoded. */
const UNADDRESSABLE = ['', '.', '..'];

/** Template tag: a path with its values encoded. */
export function path(texts: TemplateStringsArray, ...values: readonly string[]): string {
  return texts.reduce((whole, text, at) => whole + encode(values[at - 1]!) + text);
}

function encode(value: string): string {
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
