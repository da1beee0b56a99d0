import type { z } from 'zod';
import { toEndpoints } from './endpoint.ts';
import type { FieldsSchema, Operation } from './operation.ts';
import type { Route, RouteDocs } from './route.ts';

/** Makes a route of an operation, until all routes are operations. */
export function toRoutes<Ports>(operations: readonly Operation<Ports>[], ports: Ports): Route[] {
  return operations
    .filter(({ served }) => served?.(ports) !== false)
    .map((operation) => toRoute(operation, ports));
}

function toRoute<Ports>(operation: Operation<Ports>, ports: Ports): Route {
  const { method, path, access, counts, body } = operation;
  const [endpoint] = toEndpoints([operation], ports);
  return {
    method,
    path,
    endpoint: endpoint!,
    access: access !== 'public' && 'secret' in access ? { secret: access.secret(ports)! } : access,
    operation: counts,
    ...(body !== undefined && body !== 'raw' && { bodyLimit: longest(body.limit) }),
    ...(body !== undefined && body !== 'raw' && body.form === true && { acceptsForm: true as const }),
    ...(operation.tag !== undefined && { docs: toDocs(operation, operation.tag) }),
  };
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
