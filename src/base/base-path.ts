/** Maximum length of the path under which a proxy serves this service. */
const MAX_LENGTH = 200;
/** Only characters that need no escaping in URLs, HTML and headers. */
const PATTERN = /^(?:\/[A-Za-z0-9._~-]+)+$/;

/**
 * Returns the path without a slash at its end, such as `/larder`, and '' for `/`. Returns undefined for an
 * invalid base path.
 */
export function parseBasePath(text: string): string | undefined {
  const path = text.endsWith('/') ? text.slice(0, -1) : text;
  if (path === '') return text === '' ? undefined : '';
  if (path.length > MAX_LENGTH || !PATTERN.test(path)) return undefined;
  return path.split('/').some((part) => part === '.' || part === '..') ? undefined : path;
}

/** Returns a path of this service for a URL under the base path; undefined for any other URL. */
export function withoutBasePath(url: string, basePath: string): string | undefined {
  if (basePath === '' || !url.startsWith(basePath)) return undefined;
  const rest = url.slice(basePath.length);
  if (rest.startsWith('/')) return rest;
  return rest === '' || rest.startsWith('?') ? `/${rest}` : undefined;
}
