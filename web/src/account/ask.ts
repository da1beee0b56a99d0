import { type ErrorCode, LarderError } from 'larder-client';
import { larder } from '../larder.ts';

/** Asks the service what the client has no method for: people, sessions, sharing. Throws as methods of the client do. */
export function ask<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  return withProof(() => send<Answer>(method, path, body));
}

let askPerson: (methods: readonly string[]) => Promise<boolean> = async () => false;

/** Sets what asks the person; the dialog itself asks the service. */
export function proveWith(asking: typeof askPerson): void {
  askPerson = asking;
}

/** Has the person prove who they are where the service asks for it, and goes on with what was begun. */
export async function withProof<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LarderError) || error.code !== 'confirmation_required') throw error;
    if (await askPerson(error.details.methods)) return work();
    throw error;
  }
}

/** As `ask`, but passes on where a proof is asked for. */
export async function send<Answer>(method: string, path: string, body?: object): Promise<Answer> {
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
