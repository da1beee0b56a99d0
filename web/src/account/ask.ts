import { type ErrorCode, LarderError } from 'larder-client';
import { larder } from '../larder.ts';

/** Asks the service what the client has no method for: people, sessions, sharing. Throws as methods of the client do. */
export async function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await larder.request(path, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const answer = response.status === 204 ? undefined : await response.json();
  if (response.ok) return answer;
  const { code, message, details } = answer.error as { code: ErrorCode; message: string; details: object };
  throw new LarderError({ code, message, details: details as never, status: response.status });
}
