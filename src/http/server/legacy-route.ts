import { PassThrough } from 'node:stream';
import { z } from 'zod';
import type { AcceptedRequest, Endpoint } from './endpoint.ts';
import type { Exchange } from './exchange.ts';
import type { Answer } from './operation.ts';
import type { Route } from './route.ts';

/** Runs routes until all of them are operations. */
export function routeEndpoint(route: Route): Endpoint {
  if (route.endpoint !== undefined) return route.endpoint;
  const { method, path, access, operation: counts, bodyLimit, acceptsForm, readsRawBody, docs } = route;
  const json = bodyLimit !== undefined && {
    schema: z.unknown(),
    limit: bodyLimit,
    ...(acceptsForm && { form: true as const }),
    ...(docs?.body?.optional && { optional: true as const }),
  };
  return {
    method,
    path,
    access,
    counts,
    ...(readsRawBody ? { body: 'raw' as const } : json && { body: json }),
    ...(route.subjectOf !== undefined && { subjectField: 'userId' }),
    answer: { description: '', ...(route.answersSecret && { holdsSecret: true as const }) },
    validate: (raw) => raw,
    handle:
      route.plain === true
        ? (request) => route.handle(request as never)
        : (request) => handle(route, request),
  };
}

async function handle(route: Exclude<Route, { plain: true }>, accepted: AcceptedRequest): Promise<Answer> {
  const { incoming } = accepted as Exchange;
  const { caller = null, ids, requestId: id, address: ip, origin, params, query, headers, body } = accepted;
  const [protocol, host] = origin.split('://');
  const request = {
    ...{ caller, ids, id, ip, protocol, host, params, query, headers, body },
    raw: incoming,
    socket: incoming.socket,
    method: incoming.method,
  };
  let status = 200;
  let isHijacked = false;
  const set: Record<string, string | number> = {};
  const removed = new Set<string>();
  const stream = Object.assign(new PassThrough(), { writeHead: () => {} });
  const reply = {
    request,
    raw: stream,
    code: (code: number) => {
      status = code;
      return reply;
    },
    header: (name: string, value: string | number) => {
      if (name === 'connection') (accepted as Exchange).header(name, value);
      set[name] = value;
      return reply;
    },
    headers: (values: Record<string, string | number>) => {
      Object.assign(set, values);
      return reply;
    },
    removeHeader: (name: string) => {
      removed.add(name);
      return reply;
    },
    getHeaders: () => set,
    hijack: () => {
      isHijacked = true;
      return reply;
    },
    send: () => reply,
  };
  const result = await route.handle(request as never, reply as never);
  if (isHijacked)
    return {
      status,
      headers: set,
      body: (to) => {
        stream.pipe(to as never);
        to.once('close', () => stream.destroy());
      },
    };
  if ((result as unknown) === reply || removed.has('content-type')) return { status, headers: set };
  return { status, headers: set, body: result };
}
