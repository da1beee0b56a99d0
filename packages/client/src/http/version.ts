import { readJson } from './response.ts';

const versions = new WeakMap<object, string>();

/**
 * The version (ETag) that the service told of something that was read or written alone, for `ifMatch`. Undefined for elements of
 * lists.
 */
export function versionOf(value: object): string | undefined {
  return versions.get(value);
}

/** Reads JSON and keeps its version beside it, so that it stays as the service sent it. */
export async function readVersioned<T extends object>(response: Response): Promise<T> {
  const value = (await readJson(response)) as T;
  const version = response.headers.get('etag');
  if (version !== null) versions.set(value, version);
  return value;
}
