import { isKnownVersion, versionTag } from '../../api/etag.ts';
import { filledPath } from '../../api/filled-path.ts';
import { type Answer, isOutcome, type Operation, type Parameters } from '../../api/operation.ts';
import { type CompleteReply, type Exchange, JSON_TYPE, NOT_MODIFIED } from './exchange.ts';

/** Converts the result of an operation to a response: the object as JSON, facts about it as headers. */
export async function completeReply(
  { path, answer: declared, headers: read }: Operation<never>,
  answer: Answer,
  exchange: Exchange,
): Promise<CompleteReply> {
  const { contentType = JSON_TYPE, collection } = declared;
  const headers: Record<string, string | number> = { 'content-type': contentType };
  if (typeof answer === 'string' || Buffer.isBuffer(answer)) {
    return { status: declared.status ?? 200, headers, body: answer, isKept: true };
  }
  const { version, isKept = true } = answer ?? {};
  if (version !== undefined) {
    const etag = versionTag(version);
    const readsIfNoneMatch = read !== undefined && 'shape' in read && 'If-None-Match' in read.shape;
    if (readsIfNoneMatch && isKnownVersion(exchange.incoming.headers['if-none-match'], version)) {
      return { status: NOT_MODIFIED, headers: { etag } };
    }
    headers['etag'] = etag;
  }
  if (isOutcome(answer)) {
    const { value, slices, created, next } = answer;
    Object.assign(headers, answer.headers);
    if (created !== undefined) {
      const at = collection === undefined ? pathOf(path, exchange) : exchange.basePath + collection;
      headers['location'] = `${at}/${created}`;
    }
    if (next !== undefined) headers['link'] = linkTo(pathOf(path, exchange), next);
    const body = slices === undefined ? JSON.stringify(value) : await writeSlices(slices);
    return { status: answer.status ?? declared.status ?? 200, headers, body, isKept };
  }
  const { status = declared.status ?? 200, headers: others, body } = answer ?? {};
  if (body === undefined) delete headers['content-type'];
  return { status, headers: { ...headers, ...others }, ...(body !== undefined && { body, isKept }) };
}

/** Returns the path of a request under its base path, made of its parameters. */
function pathOf(path: string, { params, basePath }: Exchange): string {
  return basePath + filledPath(path, params as Record<string, string>);
}

/** Writes slices as one JSON array. More than one become bytes, since it would take long to make them of one long text. */
export async function writeSlices(slices: AsyncIterable<readonly unknown[]>): Promise<string | Buffer> {
  const pieces: string[] = [];
  for await (const slice of slices) pieces.push(JSON.stringify(slice).slice(1, -1));
  const [only = '', ...others] = pieces;
  if (others.length === 0) return `[${only}]`;
  return Buffer.concat(
    pieces.map((piece, at) => Buffer.from((at === 0 ? '[' : ',') + piece)).concat(Buffer.from(']')),
  );
}

/** The Link header of the next page (RFC 8288). */
function linkTo(path: string, parameters: Parameters): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return `<${path}?${query}>; rel="next"`;
}
