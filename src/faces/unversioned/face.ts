import type { z } from 'zod';
import {
  type Answer,
  type AnswerDeclaration,
  type CallerAccess,
  type FieldsSchema,
  isOutcome,
  type Operation,
  type OperationRequest,
} from '../../api/operation.ts';

/** Parts of an operation that the unversioned variant expresses in its own way. */
interface Presentation<Value>
  extends Partial<Pick<Operation<never>, 'summary' | 'description' | 'query' | 'body'>> {
  readonly id: string;
  readonly path: string;
  readonly tag: string;
  /** Replaces the same field of the operation. */
  readonly answer: Partial<AnswerDeclaration>;
  /** Converts the operation's response to this variant; for a list, each element. */
  readonly inWords: (value: Value, request: OperationRequest) => unknown;
}

/**
 * An operation as the unversioned variant presents it: by API key, without users, in its own words. Everything else, such as
 * scope, limits, errors and the handler, is the operation's own.
 */
export function unversioned<Ports, Value>(
  { description: _, ...operation }: Operation<Ports>,
  { inWords, answer, ...presentation }: Presentation<Value>,
): Operation<Ports> {
  const { scope } = operation.access as CallerAccess;
  const { query } = operation;
  return {
    ...operation,
    ...(query !== undefined && hasUser(query) && { query: query.omit({ userId: true }) }),
    ...presentation,
    access: { credential: 'x-api-key', scope: scope! },
    answer: { ...operation.answer, ...answer },
    handle: async (request, ports) =>
      translated(await operation.handle(request, ports), (value) => inWords(value as Value, request)),
  };
}

function hasUser(query: FieldsSchema): query is z.ZodObject {
  return 'shape' in query && 'userId' in query.shape;
}

/** A response whose objects are converted. */
function translated(answer: Answer, inWords: (value: unknown) => unknown): Answer {
  if (!isOutcome(answer)) return answer;
  const { value, slices, ...facts } = answer;
  if (slices !== undefined) return { ...facts, slices: translatedSlices(slices, inWords) };
  return { ...facts, value: Array.isArray(value) ? value.map(inWords) : inWords(value) };
}

async function* translatedSlices(
  slices: AsyncIterable<readonly unknown[]>,
  inWords: (value: unknown) => unknown,
): AsyncGenerator<readonly unknown[]> {
  for await (const slice of slices) yield slice.map(inWords);
}
