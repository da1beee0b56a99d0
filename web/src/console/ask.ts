import { type ErrorCode, LarderError } from 'larder-client';
import { larder } from '../larder.ts';

/** Sends a request for which the client has no method. Throws a `LarderError`, as the client does. */
export function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  return askWith(
    method,
    path,
    body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
  );
}

/** The same with a body of any kind. */
export async function askWith<Answer>(method: string, path: string, init: RequestInit): Promise<Answer> {
  const response = await larder.request(path, { ...init, method });
  const answer = response.status === 204 ? undefined : await response.json();
  if (response.ok) return answer;
  const { code, message, details } = answer.error as { code: ErrorCode; message: string; details: object };
  throw new LarderError({ code, message, details: details as never, status: response.status });
}
