import type { z } from 'zod';
import type { ErrorCode } from '../../errors.ts';
import type { Operation } from '../../limits/operations.ts';
import type { Endpoint } from './endpoint.ts';
import type { AnswerHeader, CallerAccess } from './operation.ts';

export type { AnswerHeader, CallerAccess } from './operation.ts';
export { isCallerAccess } from './operation.ts';

/** Another part of the installation, by a secret from the configuration that it sends as a bearer. */
export interface SecretAccess {
  readonly secret: string;
}

/** Who may call a route. */
export type Access = 'public' | SecretAccess | CallerAccess;

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

/** What every route declares: where it is, who may call it, what it counts as, what it promises. */
export interface Route {
  readonly endpoint: Endpoint;
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
  /** Absent on routes that are no part of the API, such as the reference page's script. */
  readonly docs?: RouteDocs;
}
