import { hash } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { isCallerAccess, type OperationDeclaration } from '../../api/operation.ts';
import type { IdempotentRequests } from '../../idempotency/idempotent-requests.ts';
import { seal, unseal } from '../../idempotency/sealed-response.ts';
import { FIRST_SERVER_FAULT } from './error-response.ts';
import type { CompleteReply, Exchange } from './exchange.ts';
import { secretOf } from './guard.ts';

const KEY_PATTERN = /^[\x21-\x7e]{1,255}$/;
/** The headers that are stored with a response; all others belong to one response alone. */
const STORED_HEADERS = ['content-type', 'location', 'etag'];
/** `quota_exceeded` and `rate_limit_exceeded`: the same request is allowed later. */
const REFUSED_FOR_NOW = [403, 429];

type Declared = Pick<OperationDeclaration, 'method' | 'readsOnly' | 'body'> & {
  readonly access: unknown;
};

/**
 * Whether an operation accepts an Idempotency-Key. It does not without a caller, to whom alone a response may be repeated; for
 * tokens (a key in the body), since each token is valid; and for files, which are streamed and write nothing twice.
 */
export function isRepeatable({ method, access, readsOnly, body }: Declared): boolean {
  const isFile = typeof body === 'object' && 'file' in body;
  const isOfCaller = isCallerAccess(access) && access.credential !== 'client-secret';
  return method === 'POST' && !isFile && isOfCaller && readsOnly !== true;
}

/**
 * Gives the stored response again where the request is repeated with its Idempotency-Key. Otherwise executes it, and stores
 * the response before it is sent.
 */
export async function executeOnce(
  exchange: Exchange,
  requests: IdempotentRequests,
  execute: () => Promise<CompleteReply>,
): Promise<CompleteReply> {
  const { caller, endpoint, raw } = exchange;
  const idempotencyKey = raw.headers['idempotency-key'];
  if (typeof idempotencyKey !== 'string' || !KEY_PATTERN.test(idempotencyKey)) throw badKey();
  const { tenant, userId = '' } = caller!;
  const holdsSecret = endpoint!.operation.answer.holdsSecret === true;
  const turn = await requests.open(
    { tenant, userId, idempotencyKey },
    fingerprint(exchange),
    subjectOf(endpoint!, raw) ?? userId,
  );
  if (turn.kind === 'replay') {
    const { status, headers } = turn.answer;
    const body = holdsSecret ? unseal(turn.answer.body, secretOf(exchange)) : turn.answer.body;
    if (body === undefined) throw otherCredential();
    return {
      status,
      headers: { ...headers, 'idempotency-replayed': 'true' },
      ...(body !== '' && { body }),
    };
  }
  exchange.ids = turn.ids;
  const reply = await execute();
  const { status, headers, body = '' } = reply;
  const isStored = status < FIRST_SERVER_FAULT && !REFUSED_FOR_NOW.includes(status);
  if (isStored && typeof body === 'string')
    await turn.settle({
      status,
      headers: storedHeaders(headers),
      body: holdsSecret ? seal(body, secretOf(exchange)) : body,
    });
  // A claim that cannot be abandoned runs out by itself; the client should hear why the request failed, not of this.
  else await turn.abandon().catch(() => {});
  return reply;
}

/** The user whom the answer is about, where path or body name one; erasing the user removes the stored response. */
function subjectOf(
  { operation: { subjectField } }: NonNullable<Exchange['endpoint']>,
  { params, body }: Exchange['raw'],
): string | undefined {
  const { userId } = params;
  if (typeof userId === 'string') return userId;
  const named =
    subjectField && (body as Readonly<Record<string, unknown>> | null | undefined)?.[subjectField];
  return typeof named === 'string' ? named : undefined;
}

/** A hash of method, address and body that does not depend on white space and the order of fields in the body's JSON. */
function fingerprint({ incoming: { method }, url, raw: { body } }: Exchange): Buffer {
  return hash('sha256', `${method} ${url}\n${JSON.stringify(body, withSortedFields) ?? ''}`, 'buffer');
}

/** Some encoders of JSON, such as Swift's, write the fields of one object in another order each time. */
function withSortedFields(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function storedHeaders(headers: CompleteReply['headers']): Record<string, string> {
  const stored = STORED_HEADERS.filter((name) => headers[name] !== undefined);
  return Object.fromEntries(stored.map((name) => [name, String(headers[name])]));
}

function otherCredential(): AppError {
  return new AppError({
    code: 'idempotency_conflict',
    message:
      'The response to the first request holds a secret; repeat it with the credential of that request.',
  });
}

function badKey(): AppError {
  return new AppError({
    code: 'invalid_request',
    message: 'An Idempotency-Key is 1 to 255 printable ASCII characters without spaces.',
    details: { header: 'Idempotency-Key' },
  });
}
