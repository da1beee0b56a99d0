import { hash } from 'node:crypto';
import { z } from 'zod';
import { versionTag } from '../../api/etag.ts';
import type { Operation } from '../../api/operation.ts';
import type { CalledReply, CallParts } from '../../api/operation-call.ts';
import { answered, type ToolContext } from './tool.ts';

const MAX_KEY_LENGTH = 200;
/** Maximum failures of the same write within a day, after which it needs an idempotency key of its own. */
const MAX_FAILURES = 8;

export const idempotencyKeyInput = z
  .string()
  .min(1)
  .max(MAX_KEY_LENGTH)
  .optional()
  .describe(
    'Names this write. Within 24 hours the same name, or without one the same arguments, write nothing twice; another name writes again.',
  );

export const repeatedField = z
  .string()
  .optional()
  .describe('Present if the same write was made before: nothing was written by this call.');

const WHAT_REPEATED_MEANS =
  'The same write was made within 24 hours; nothing was written again, and this is the answer of that time. Another idempotencyKey writes ' +
  'it once more.';

interface Write extends CallParts {
  readonly idempotencyKey: string | undefined;
}

/**
 * Calls an operation that adds something, so that a repeated call adds nothing. A failed call has written nothing, so the next one is
 * executed instead of getting its stored error.
 */
export async function writeOnce<Value>(
  context: ToolContext,
  operation: Operation<never>,
  { idempotencyKey, ...parts }: Write,
): Promise<{ readonly value: Value; readonly repeated: string | undefined }> {
  const { body, params } = parts;
  const named = idempotencyKey === undefined ? { body } : { idempotencyKey };
  const name = hash('sha256', JSON.stringify([operation.id, context.userId, params, named]), 'base64url');
  let reply: CalledReply | undefined;
  for (let failures = 0; failures < MAX_FAILURES; failures++) {
    const key = failures === 0 ? `mcp-${name}` : `mcp-${name}-${failures}`;
    reply = await context.call(operation, { ...parts, headers: { 'idempotency-key': key } });
    if (!isRepeated(reply) || reply.status < 400) break;
  }
  const value = answered<Value>(reply!);
  return { value, repeated: isRepeated(reply!) ? WHAT_REPEATED_MEANS : undefined };
}

function isRepeated({ headers }: CalledReply): boolean {
  return headers['idempotency-replayed'] === 'true';
}

export const versionInput = z
  .int()
  .min(1)
  .optional()
  .describe('Only if this is still its version, as get_day answers it.');

/** The header for a change of this version only. */
export function onlyVersion(version: number | undefined): CallParts['headers'] {
  return version === undefined ? {} : { 'if-match': versionTag(version) };
}
