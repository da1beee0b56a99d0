import type { FastifyReply } from 'fastify';
import type { z } from 'zod';
import { dropRest, rawBody } from './body-parsers.ts';
import type { Answer, FieldsSchema, Operation, OperationRequest } from './operation.ts';
import { publicOrigin } from './public-origin.ts';
import { completeReply } from './reply.ts';
import type { FullRoute, PlainRoute, Route, RouteDocs, RouteRequest } from './route.ts';
import { createValidation } from './validation.ts';

type AnyRequest = OperationRequest<unknown, unknown, unknown, unknown, unknown>;

/** Operations whose answer, JSON with status 200, follows from caller, path and query alone. */
const PLAIN: ReadonlySet<string> = new Set([
  'searchFoods',
  'searchFoodsV1',
  'getFoodByBarcode',
  'getFoodByBarcodeV1',
  'listDiaryEntries',
  'getDiaryTotals',
]);

/** Makes a route of an operation, as long as Fastify runs routes. */
export function toRoutes<Ports extends { readonly publicUrl: string | undefined }>(
  operations: readonly Operation<Ports>[],
  ports: Ports,
): Route[] {
  return operations
    .filter(({ served }) => served?.(ports) !== false)
    .map((operation) => toRoute(operation, ports));
}

function toRoute<Ports extends { readonly publicUrl: string | undefined }>(
  operation: Operation<Ports>,
  ports: Ports,
): Route {
  const { method, path, access, counts, body, subjectField } = operation;
  const shared = {
    method,
    path,
    access: access !== 'public' && 'secret' in access ? { secret: access.secret(ports)! } : access,
    operation: counts,
    ...(body !== undefined && body !== 'raw' && { bodyLimit: longest(body.limit) }),
    ...(body !== undefined && body !== 'raw' && body.form === true && { acceptsForm: true as const }),
    ...(body === 'raw' && { readsRawBody: true as const }),
    ...(subjectField !== undefined && {
      subjectOf: (sent: unknown) => (sent as Readonly<Record<string, unknown>> | null)?.[subjectField],
    }),
    ...(operation.answer.holdsSecret === true && { answersSecret: true as const }),
    ...(operation.tag !== undefined && { docs: toDocs(operation, operation.tag) }),
  };
  if (PLAIN.has(operation.id))
    return { ...shared, plain: true, handle: plainHandle(operation, ports) } as PlainRoute;
  return { ...shared, handle: fullHandle(operation, ports) };
}

function longest(limit: number | { readonly many: number }): number {
  return typeof limit === 'number' ? limit : limit.many;
}

function toDocs(operation: Operation<never>, tag: string): RouteDocs {
  const { id, summary, description, params, query, headers, body, answer, empty, leadsTo, errors } =
    operation;
  return {
    tag,
    operationId: id,
    summary,
    answer,
    ...(description !== undefined && { description }),
    ...(params !== undefined && { params: fieldsOf(params) }),
    ...(query !== undefined && { query: fieldsOf(query) }),
    ...(headers !== undefined && { headers: fieldsOf(headers) }),
    ...(body !== undefined && body !== 'raw' && { body: { example: undefined, ...body } }),
    ...(empty !== undefined && { empty }),
    ...(leadsTo !== undefined && { leadsTo }),
    ...(errors !== undefined && { errors }),
  };
}

function fieldsOf(schema: FieldsSchema): z.ZodObject {
  return 'shape' in schema ? schema : schema.in;
}

function plainHandle<Ports>(operation: Operation<Ports>, ports: Ports): PlainRoute['handle'] {
  const validate = createValidation(operation);
  const handle = operation.handle(ports);
  return ({ caller, params, query }) =>
    handle({
      caller,
      ...validate({ params, query, headers: {}, body: undefined }),
    } as unknown as AnyRequest) as string;
}

function fullHandle<Ports extends { readonly publicUrl: string | undefined }>(
  operation: Operation<Ports>,
  ports: Ports,
): FullRoute['handle'] {
  const validate = createValidation(operation);
  const handle = operation.handle(ports);
  const run = (request: RouteRequest, reply: FastifyReply) => {
    const { params, query, headers, ids, caller, id: requestId, ip: address } = request;
    const body =
      operation.body === 'raw'
        ? rawBody(request.raw, () => reply.header('connection', 'close'))
        : operation.body && request.body;
    const origin = publicOrigin(request, ports.publicUrl);
    const read = { caller: caller ?? undefined, ids, requestId, address, origin };
    return handle({ ...read, ...validate({ params, query, headers, body }) } as AnyRequest);
  };
  return async (request, reply) => {
    try {
      return send(operation, await run(request, reply), request, reply);
    } catch (error) {
      if (operation.body === 'raw') dropRest(request.raw);
      throw error;
    }
  };
}

function send(
  operation: Operation<never>,
  answer: Answer,
  { headers: sent }: RouteRequest,
  reply: FastifyReply,
): ReturnType<FullRoute['handle']> {
  const { status, headers, body } = completeReply(operation, answer, sent['if-none-match']);
  reply.code(status);
  if (body === undefined) reply.removeHeader('content-type');
  reply.headers(headers);
  if (status === 304) return reply.send() as never;
  if (typeof body !== 'function') return body ?? '';
  reply.header('connection', 'close');
  if (reply.request.method === 'HEAD') return '';
  reply.hijack();
  reply.raw.writeHead(status, reply.getHeaders() as Record<string, string>);
  body(reply.raw);
  return reply as never;
}
