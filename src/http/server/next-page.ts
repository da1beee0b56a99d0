import { andThen, type MaybePromise } from '../../maybe-promise.ts';
import type { Reply } from './operation.ts';

/** The part of a list that a request asks for: what comes after the element with this id. */
export interface Page {
  /** '' for the first page. */
  readonly after: string;
  readonly limit: number;
}

/** The query of a list, whose other parameters every page repeats. */
type PageQuery = Page & { readonly [parameter: string]: string | number | undefined };

/**
 * Answers one page of a list. `read` gets a limit of one more, which tells whether another page follows; the Link header
 * then has its address (RFC 8288). The cursor is the id of the last element, so a page stays the same page while others
 * are added and deleted.
 */
export async function pageReply<T extends { readonly id: string }>(
  path: string,
  query: PageQuery,
  read: (page: Page) => Promise<readonly T[]>,
  write: (items: readonly T[]) => MaybePromise<string | Buffer>,
): Promise<Reply> {
  const { after, limit, ...others } = query;
  const found = await read({ after, limit: limit + 1 });
  const items = found.slice(0, limit);
  return andThen(write(items), (body) =>
    found.length <= limit
      ? { body }
      : { body, headers: { link: linkTo(path, { ...others, limit, after: items.at(-1)!.id }) } },
  );
}

function linkTo(path: string, parameters: Readonly<Record<string, string | number | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `<${path}?${query}>; rel="next"`;
}
