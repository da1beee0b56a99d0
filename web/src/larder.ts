import { Larder } from 'larder-client';
import { chosenLanguage } from './texts/texts.ts';

/** The address of the service, which may lie below a path: this file is in `assets/` of it, in development in `src/`. */
export const BASE = new URL(/* @vite-ignore */ '../', import.meta.url);

/** After this time the page shows an error, and offers to try again. */
const MAX_WAIT_MS = 3_000;

/** The session of the browser is the credential; its cookie goes along by itself. */
export const larder = new Larder({
  url: BASE,
  // Foods are named in the language of the page, which may be another one than the browser's.
  fetch: (input, init) => fetch(input, { ...init, headers: withLanguage(init?.headers) }),
  onRetry({ error, waitMs }) {
    if (waitMs > MAX_WAIT_MS) throw error;
  },
});

function withLanguage(given: HeadersInit | undefined): Headers {
  const headers = new Headers(given);
  headers.set('Accept-Language', chosenLanguage());
  return headers;
}

/** The address of a view. */
export function pathTo(view: string): string {
  return BASE.pathname + view;
}
