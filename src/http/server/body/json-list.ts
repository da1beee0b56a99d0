import { slicesOf } from '../../../background-work.ts';
import type { MaybePromise } from '../../../maybe-promise.ts';

/** A JSON array of items that `toJson` writes. */
export function jsonList<T>(items: readonly T[], toJson: (item: T) => string): string {
  let list = '[';
  for (let i = 0; i < items.length; i++) list += i === 0 ? toJson(items[i]!) : `,${toJson(items[i]!)}`;
  return `${list}]`;
}

/** The same of any number of items, `size` at a time: other requests are answered meanwhile. */
export function longJsonList<T>(
  items: readonly T[],
  size: number,
  toJson: (item: T) => string,
): MaybePromise<string | Buffer> {
  return items.length <= size ? jsonList(items, toJson) : writeInSlices(items, size, toJson);
}

/** Bytes, since it would take long to make them of one long text. */
async function writeInSlices<T>(
  items: readonly T[],
  size: number,
  toJson: (item: T) => string,
): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const slice of slicesOf(items, size)) {
    const list = jsonList(slice, toJson);
    pieces.push(Buffer.from(pieces.length === 0 ? list.slice(0, -1) : `,${list.slice(1, -1)}`));
  }
  return Buffer.concat([...pieces, Buffer.from(']')]);
}
