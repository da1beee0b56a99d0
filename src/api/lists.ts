import { slicesOf } from '../base/background-work.ts';
import type { Outcome, Parameters } from './operation.ts';

/** The requested part of a list: the elements after this cursor. */
export interface Page {
  /** '' for the first page. */
  readonly after: string;
  readonly limit: number;
}

/**
 * Returns one page of a list. `read` gets a limit that is one higher, to find out whether another page
 * follows. The cursor, by default the id, is that of the last element, so that pages remain stable while
 * elements are added and deleted.
 */
export async function pageOf<T extends { readonly id: string }>(
  query: Page & Parameters,
  read: (page: Page) => Promise<readonly T[]>,
  toObject: (item: T) => unknown,
  { cursorOf = ({ id }: T) => id, sliceSize = query.limit } = {},
): Promise<Outcome> {
  const { after, limit, ...others } = query;
  const found = await read({ after, limit: limit + 1 });
  const items = found.slice(0, limit);
  const next = found.length <= limit ? undefined : { ...others, limit, after: cursorOf(items.at(-1)!) };
  return { ...listOutcome(items, sliceSize, toObject), next };
}

/** Returns the part of a ranked list that begins at `offset`. `all` is the complete list. */
export function rankedPageOf<T>(
  query: { readonly limit: number; readonly offset?: number | undefined } & Parameters,
  all: readonly T[],
  toObject: (item: T) => unknown,
): Outcome {
  const { limit, offset = 0, ...others } = query;
  const end = offset + limit;
  const next = all.length <= end ? undefined : { ...others, limit, offset: end };
  return { value: all.slice(offset, end).map(toObject), next };
}

/** Returns the part of a short list that begins after `after` elements. `all` is the complete list. */
export function shortPageOf<T>(
  query: Page & Parameters,
  all: readonly T[],
  toObject: (item: T) => unknown,
): Outcome {
  const { after, limit, ...others } = query;
  const end = Number(after) + limit;
  const next = all.length <= end ? undefined : { ...others, limit, after: end };
  return { value: all.slice(Number(after), end).map(toObject), next };
}

/** Converts the items of a list to objects, those of a long list `size` at a time, so that other requests run in between. */
export function listOutcome<T>(items: readonly T[], size: number, toObject: (item: T) => unknown): Outcome {
  if (items.length <= size) return { value: items.map(toObject) };
  return { slices: objectsOf(items, size, toObject) };
}

async function* objectsOf<T>(
  items: readonly T[],
  size: number,
  toObject: (item: T) => unknown,
): AsyncGenerator<readonly unknown[]> {
  for await (const slice of slicesOf(items, size)) yield slice.map(toObject);
}
