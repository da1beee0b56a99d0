import type { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { Caller } from '../access/caller.ts';
import type { Scope } from '../access/scope.ts';
import type { ErrorCode } from '../errors.ts';
import type { Operation } from '../limits/operations.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks; set by the guard on every route that wants a credential. */
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** Present on every route: one without a declaration does not start. */
    declaration?: Route;
  }
}

/**
 * Where the credential is: `/v1` takes a bearer key or token, the unversioned paths an `x-api-key`; who asks for a
 * token sends a key as `client_secret` in the body.
 */
export type CredentialKind = 'bearer' | 'x-api-key' | 'client-secret';

/**
 * Who may call a route: anybody, or the holder of a credential, with a scope where one is named. A path with
 * `:userId` is besides closed to the tokens of other users.
 */
export type Access = 'public' | { readonly credential: CredentialKind; readonly scope?: Scope };

/** What a client may have put into path and query; parsed by the handler, never trusted before. */
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
  readonly schema?: z.ZodType;
  readonly example?: unknown;
}

export interface RouteBody {
  readonly schema: z.ZodType;
  readonly example: unknown;
}

/** What the OpenAPI document says of a route. */
export interface RouteDocs {
  readonly tag: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: RouteBody;
  readonly answer: RouteAnswer;
  /** Codes of this route alone; those that every route shares are added. */
  readonly errors?: readonly ErrorCode[];
}

type RouteResult = string | Buffer | Readable;

/**
 * One route, whole: where it is, who may call it, what it counts as, what it promises, what it does.
 * The handler returns the body, JSON text unless it sets another content type.
 */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for parameters. */
  readonly path: string;
  readonly access: Access;
  /** `uncounted`: outside all rate limits, as a real object store's addresses would be. */
  readonly operation: Operation | 'uncounted';
  /** The body may also come as a form; otherwise JSON alone. */
  readonly acceptsForm?: true;
  /** The handler reads the body from `request.raw`, whatever type it has; nobody reads it before. */
  readonly readsRawBody?: true;
  /** The answer holds a secret and is therefore never kept, not for an Idempotency-Key either. */
  readonly answersSecret?: true;
  /** Absent on routes that are no part of the API, such as the reference page's script. */
  readonly docs?: RouteDocs;
  readonly handle: (request: RouteRequest, reply: FastifyReply) => RouteResult | Promise<RouteResult>;
}
