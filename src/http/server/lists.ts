import { slicesOf } from '../../base/background-work.ts';
import { andThen, type MaybePromise } from '../../base/maybe-promise.ts';
import type { Reply } from './operation.ts';

/** The part of a list that a request asks for: what comes after the element with this cursor. */
export interface Page {
  /** '' for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** The parameters of a list, which every page repeats. */
interface Parameters {
  readonly [name: string]: string | number | undefined;
}

/**
 * Answers one page of a list. `read` gets a limit of one more, which tells whether another page follows; the Link header
 * then has its address (RFC 8288). The cursor, by default the id, is that of the last element, so a page stays the same
 * page while others are added and deleted.
 */
export async function pageReply<T extends { readonly id: string }>(
  path: string,
  query: Page & Parameters,
  read: (page: Page) => Promise<readonly T[]>,
  write: (items: readonly T[]) => MaybePromise<string | Buffer>,
  cursorOf: (item: T) => string = ({ id }) => id,
): Promise<Reply> {
  const { after, limit, ...others } = query;
  const found = await read({ after, limit: limit + 1 });
  const items = found.slice(0, limit);
  return andThen(write(items), (body) =>
    found.length <= limit
      ? { body }
      : { body, headers: { link: linkTo(path, { ...others, limit, after: cursorOf(items.at(-1)!) }) } },
  );
}

/** Answers the part of a ranked list that begins at `offset`, in the same way. `all` is the list up to its end. */
export function rankedReply<T>(
  path: string,
  {
    limit,
    offset = 0,
    ...others
  }: { readonly limit: number; readonly offset?: number | undefined } & Parameters,
  all: readonly T[],
  write: (items: readonly T[]) => string,
): { readonly body: string; readonly headers?: { readonly link: string } } {
  const end = offset + limit;
  const body = write(all.slice(offset, end));
  return all.length <= end
    ? { body }
    : { body, headers: { link: linkTo(path, { ...others, limit, offset: end }) } };
}

function linkTo(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `<${path}?${query}>; rel="next"`;
}

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
