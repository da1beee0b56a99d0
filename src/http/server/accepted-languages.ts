import type { RawRequest } from '../../api/validation.ts';

const MAX_LANGUAGES = 10;
const TAG = /^[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,4}$/;

/** The tags of an `Accept-Language` header, the preferred one first: `de-CH, en;q=0.5` is `de-CH,en`. */
export function acceptedLanguages(header: string): string {
  const tags = header.split(',').map((part) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
    const quality = parameters.find((text) => text.startsWith('q='));
    return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) };
  });
  return tags
    .filter(({ tag, quality }) => TAG.test(tag) && quality > 0)
    .toSorted((a, b) => b.quality - a.quality)
    .slice(0, MAX_LANGUAGES)
    .map(({ tag }) => tag)
    .join(',');
}

/** The query, with the languages of the browser if it names none. */
export function withAcceptedLanguages({ query, headers }: RawRequest): RawRequest['query'] {
  const header = headers['accept-language'];
  if (query['lang'] !== undefined || header === undefined) return query;
  const lang = acceptedLanguages(header);
  return lang === '' ? query : { ...query, lang };
}
