import { type ErrorCode, LarderError } from 'larder-client';
import { withProof } from '../account/ask.ts';
import { larder } from '../larder.ts';

/** Sends a request for which the client has no method. Throws a `LarderError`, as the client does. */
export function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const init =
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  return withProof(() => askWith<Answer>(method, path, init));
}

/** Sends a body of any kind. */
export async function askWith<Answer>(method: string, path: string, init: RequestInit): Promise<Answer> {
  return answerOf(await larder.request(path, { ...init, method }));
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Path of the next page; undefined on the last one. */
  readonly next: string | undefined;
}

/** Reads one page of a list. `path` is without a query but that of the page. */
export async function askPage<Item>(path: string): Promise<Page<Item>> {
  const response = await larder.request(path);
  const items = await answerOf<readonly Item[]>(response);
  // The parameters alone count: a proxy may serve the API under another path.
  const query = /<[^>?]*(\?[^>]*)>; rel="next"/.exec(response.headers.get('link') ?? '')?.[1];
  return { items, next: query && path.split('?')[0] + query };
}

async function answerOf<Answer>(response: Response): Promise<Answer> {
  const answer = response.status === 204 ? undefined : await response.json();
  if (response.ok) return answer;
  const { code, message, details } = answer.error as { code: ErrorCode; message: string; details: object };
  throw new LarderError({ code, message, details: details as never, status: response.status });
}
