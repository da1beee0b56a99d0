import { isKnownVersion, versionTag } from './etag.ts';
import type { Answer, Operation, Reply } from './operation.ts';

const JSON_TYPE = 'application/json; charset=utf-8';
const NOT_MODIFIED = 304;

/** An answer with everything that its operation says of it, ready to be sent. */
export interface CompleteReply extends Pick<Reply, 'body'> {
  readonly status: number;
  /** Besides those of every answer. Without a body there is no `content-type`. */
  readonly headers: Readonly<Record<string, string | number>>;
}

/** Completes what a handler answered; `ifNoneMatch` is that header of the request. */
export function completeReply(
  operation: Pick<Operation<never>, 'answer' | 'headers'>,
  answer: Answer,
  ifNoneMatch: string | undefined,
): CompleteReply {
  const { answer: declared } = operation;
  const { status = declared.status ?? 200, headers, version, body } = toReply(answer);
  const etag = version === undefined ? undefined : { etag: versionTag(version) };
  if (version !== undefined && readsIfNoneMatch(operation) && isKnownVersion(ifNoneMatch, version)) {
    return { status: NOT_MODIFIED, headers: { ...etag } };
  }
  if (body === undefined) return { status, headers: { ...etag, ...headers } };
  const type = { 'content-type': declared.contentType ?? JSON_TYPE };
  return { status, headers: { ...type, ...etag, ...headers }, body };
}

function toReply(answer: Answer): Reply {
  return typeof answer === 'string' || Buffer.isBuffer(answer) ? { body: answer } : (answer ?? {});
}

function readsIfNoneMatch({ headers }: Pick<Operation<never>, 'headers'>): boolean {
  return headers !== undefined && 'shape' in headers && 'If-None-Match' in headers.shape;
}
