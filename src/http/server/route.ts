import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Caller } from '../../access/caller.ts';
import type { ErrorCode } from '../../errors.ts';
import type { Operation } from '../../limits/operations.ts';
import type { MaybePromise } from '../../maybe-promise.ts';
import type { IdSource } from '../../time-ordered-id.ts';
import type { Endpoint } from './endpoint.ts';
import type { AnswerHeader, CallerAccess } from './operation.ts';

export type { AnswerHeader, CallerAccess, CredentialKind } from './operation.ts';
export { isCallerAccess } from './operation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard on every route that needs a credential. */
    caller: Caller | null;
    /** Ids for what the request creates; undefined for a request without an Idempotency-Key. */
    ids: IdSource | undefined;
  }
  interface FastifyContextConfig {
    /** Present on every route: one without a declaration does not start. */
    declaration?: Route;
  }
}

/** Another part of the installation, by a secret from the configuration that it sends as a bearer. */
export interface SecretAccess {
  readonly secret: string;
}

/** Who may call a route. */
export type Access = 'public' | SecretAccess | CallerAccess;

/** Path parameters and query as the client sent them; untrusted until the handler has parsed them. */
export interface RouteInput {
  Params: Record<string, string>;
  Querystring: Record<string, string | string[] | undefined>;
}
export type RouteRequest = FastifyRequest<RouteInput>;

export interface RouteAnswer {
  /** 200 unless it says otherwise; 204 has no body. */
  readonly status?: 200 | 201 | 204;
  readonly description: string;
  readonly contentType?: string;
  /** Besides those of every answer. */
  readonly headers?: readonly AnswerHeader[];
  readonly schema?: z.ZodType;
  readonly example?: unknown;
  /** Other types in which a client can have the same answer, each with an example. */
  readonly alsoAs?: Readonly<Record<string, string>>;
}

export interface RouteBody {
  readonly schema: z.ZodType;
  readonly example: unknown;
  /** The request may come without one. */
  readonly optional?: true;
}

/** What the OpenAPI document says of a route. */
export interface RouteDocs {
  readonly tag: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Request headers, besides those that every route reads. */
  readonly headers?: z.ZodObject;
  readonly body?: RouteBody;
  readonly answer: RouteAnswer;
  /** Further answers without a body: what each status means. */
  readonly empty?: Readonly<Record<number, string>>;
  /** Schemas of what the answer leads to or holds as text; each has an id. */
  readonly leadsTo?: readonly z.ZodType[];
  /** Codes of this route alone; those that every route shares are added. */
  readonly errors?: readonly ErrorCode[];
}

type RouteResult = string | Buffer | Readable;

/** What every route declares: where it is, who may call it, what it counts as, what it promises. */
interface RouteDeclaration {
  readonly endpoint?: Endpoint;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for parameters. */
  readonly path: string;
  readonly access: Access;
  /**
   * What the request counts as. `uncounted`: outside all rate limits, as the addresses of a real object store would be.
   * `health`: probes of this node, counted by address and by this node alone. Neither is for callers.
   */
  readonly operation: Operation | 'uncounted' | 'health';
  /** The longest body in bytes, see `BODY_LIMITS`. A route without it takes no body. */
  readonly bodyLimit?: number;
  /** The body may also come as a form; otherwise JSON alone. */
  readonly acceptsForm?: true;
  /** The body may be of any type and length, and is left to the handler to read from `request.raw`. */
  readonly readsRawBody?: true;
  /** The user whom the answer will be about, as the body names it; by default the one of the path or the caller. */
  readonly subjectOf?: (body: unknown) => unknown;
  /** The answer holds a secret and is therefore never kept, not even for an Idempotency-Key. */
  readonly answersSecret?: true;
  /** Absent on routes that are no part of the API, such as the reference page's script. */
  readonly docs?: RouteDocs;
}

/** A route whose handler may look at the whole request. It returns the body, JSON text unless it sets another type. */
export interface FullRoute extends RouteDeclaration {
  readonly plain?: never;
  readonly handle: (request: RouteRequest, reply: FastifyReply) => RouteResult | Promise<RouteResult>;
}

/** All that a plain route is told. */
export type PlainRequest = Pick<RouteRequest, 'params' | 'query' | 'caller'>;

/**
 * A route that is asked often and whose answer, JSON with status 200, follows from caller, path and query alone: the
 * fast path can answer it.
 */
export interface PlainRoute extends RouteDeclaration {
  readonly plain: true;
  readonly method: 'GET';
  readonly access: CallerAccess;
  readonly operation: Operation;
  readonly handle: (request: PlainRequest) => MaybePromise<string | Buffer>;
}

/** One route, whole. */
export type Route = FullRoute | PlainRoute;
