import type { Operation, Outcome, Parameters, Reply } from '../../api/operation.ts';
import type { Exchange } from './exchange.ts';

/** Writes an outcome as JSON, with the headers that state its facts. */
export async function writeOutcome(
  { value, slices, created, next, version, isKept = true }: Outcome,
  { path, answer: { collection } }: Operation<never>,
  exchange: Exchange,
): Promise<Reply> {
  const headers: Record<string, string> = {};
  if (created !== undefined) headers['location'] = `${collection ?? filled(path, exchange)}/${created}`;
  if (next !== undefined) headers['link'] = linkTo(filled(path, exchange), next);
  const body = slices === undefined ? JSON.stringify(value) : await writeSlices(slices);
  return { headers, version, isKept, body };
}

/** The path of a request, made of its parameters. */
function filled(path: string, { params }: Exchange): string {
  return path.replaceAll(/:(\w+)/g, (_, name) =>
    encodeURIComponent((params as Record<string, string>)[name]!),
  );
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
