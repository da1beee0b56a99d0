import type { Readable, Writable } from 'node:stream';
import type { ErrorCode } from '@larder/core/errors.ts';
import type { z } from 'zod';
import type { Caller, Scope } from '../../access/api-key.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { IdSource } from '../../base/time-ordered-id.ts';
import type { Operation as LimitedOperation } from '../../limits/operations.ts';
import type { BodyDeclaration, JsonBody } from './connection/body.ts';

/** Headers of answers that the document describes. */
export type AnswerHeader =
  | 'X-Request-Id'
  | 'X-RateLimit-Limit'
  | 'X-RateLimit-Remaining'
  | 'X-RateLimit-Reset'
  | 'WWW-Authenticate'
  | 'Retry-After'
  | 'ETag'
  | 'Location'
  | 'Link'
  | 'Idempotency-Replayed';

/**
 * Where the credential is: `/v1` takes a key or token as a bearer, the unversioned paths a key in `x-api-key`, and token
 * requests a key as `client_secret` in the body.
 */
export type CredentialKind = 'bearer' | 'x-api-key' | 'client-secret';

/** The holder of a credential, with a scope where one is named. A path with `:userId` is closed to tokens of other users. */
export interface CallerAccess {
  readonly credential: CredentialKind;
  readonly scope?: Scope;
}

/** Who may call an operation. `Ports` holds the secret that another part of the installation sends as a bearer. */
export type OperationAccess<Ports> =
  | 'public'
  | CallerAccess
  | { readonly secret: (ports: Ports) => string | undefined };

export function isCallerAccess<Other>(access: Other | CallerAccess): access is CallerAccess {
  return typeof access === 'object' && access !== null && 'credential' in access;
}

/** An object of named fields, perhaps with a transform that reads several of them together. */
export type FieldsSchema = z.ZodObject | z.ZodPipe<z.ZodObject, z.ZodTransform>;

export interface AnswerDeclaration {
  /** 200 unless it says otherwise; 204 has no body. */
  readonly status?: 200 | 201 | 204;
  readonly description: string;
  /** JSON unless it says otherwise. */
  readonly contentType?: string;
  /** Besides those of every answer. */
  readonly headers?: readonly AnswerHeader[];
  readonly schema?: z.ZodType;
  readonly example?: unknown;
  /** Other types in which a client can have the same answer, each with an example. */
  readonly alsoAs?: Readonly<Record<string, string>>;
  /** It is never stored, not even for an Idempotency-Key. */
  readonly holdsSecret?: true;
}

/** Requests that one counts as. */
export interface AlsoCounted {
  readonly operation: LimitedOperation;
  readonly times: number;
}

/** What an operation declares besides its handler. The OpenAPI document and the checks of requests are made of it. */
export interface OperationDeclaration<
  Ports = never,
  Access extends OperationAccess<Ports> = OperationAccess<Ports>,
  Params extends FieldsSchema = FieldsSchema,
  Query extends FieldsSchema = FieldsSchema,
  Headers extends FieldsSchema = FieldsSchema,
  Body extends BodyDeclaration | undefined = BodyDeclaration | undefined,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With `:name` for parameters. */
  readonly path: string;
  readonly id: string;
  /** Absent on operations that are no part of the API: the OpenAPI document leaves them out. */
  readonly tag?: string;
  readonly summary: string;
  readonly description?: string;
  /** A path with `:userId` is closed to tokens of other users. */
  readonly access: Access;
  /**
   * What the request counts as. `uncounted`: outside all rate limits, as the signed URLs of a real object store would be.
   * `health`: probes of this node, counted by address and by this node alone. Neither is for callers.
   */
  readonly counts: LimitedOperation | 'uncounted' | 'health';
  /** A POST that changes nothing: it may be repeated as it is, and its answer is not stored for an Idempotency-Key. */
  readonly readsOnly?: true;
  /** What a request with this body counts as besides; of the same operation as `counts`, as how many in all. */
  alsoCounts?(body: BodyOf<Body>): AlsoCounted | undefined;
  /** False where this installation does not have the operation. */
  readonly served?: (ports: Ports) => boolean;
  readonly params?: Params;
  /** Parameters that it does not name are ignored. */
  readonly query?: Query;
  /** Request headers that the handler reads, named as the document shows them. */
  readonly headers?: Headers;
  /** An operation without it takes no body. */
  readonly body?: Body;
  /** Field of the body that names the user whom the answer is about; by default the user of the path or the caller. */
  readonly subjectField?: string;
  readonly answer: AnswerDeclaration;
  /** Further answers without a body: what each status means. */
  readonly empty?: Readonly<Record<number, string>>;
  /** What addresses in the answer lead to, by name: path items of the document. */
  readonly addresses?: Readonly<Record<string, { readonly description: string; readonly schema: z.ZodType }>>;
  /** Schemas of what the answer holds as text; each has an id. */
  readonly leadsTo?: readonly z.ZodType[];
  /**
   * Codes of this operation alone; those that every operation shares are added. With `invalid_query` among them, a query
   * that does not fit its schema fails with this code instead of `invalid_request`.
   */
  readonly errors?: readonly ErrorCode[];
}

/** A request after the guard and the schemas have passed it. */
export interface OperationRequest<Access, Params, Query, Headers, Body> {
  readonly caller: Access extends CallerAccess ? Caller : undefined;
  readonly params: FieldsOf<Params>;
  readonly query: FieldsOf<Query>;
  readonly headers: FieldsOf<Headers>;
  readonly body: BodyOf<Body>;
  /** Ids for what the request creates; undefined for a request without an Idempotency-Key. */
  readonly ids: IdSource | undefined;
  /** As in X-Request-Id. */
  readonly requestId: string;
  /** The client's IP address. */
  readonly address: string;
  /** Where the client reaches this service, such as `https://larder.example`. */
  readonly origin: string;
}

type FieldsOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : Readonly<Record<never, never>>;
type BodyOf<Body> = Body extends 'raw'
  ? AsyncIterable<Buffer>
  : Body extends JsonBody<infer Schema>
    ? z.output<Schema>
    : undefined;

/** The part of Node's response that a long answer is written to directly. It emits `close` when the client is gone. */
export type AnswerStream = Pick<
  Writable,
  'write' | 'end' | 'destroy' | 'destroyed' | 'writableLength' | 'once'
>;

export interface Reply {
  /** By default the one that the operation declares. */
  readonly status?: number;
  /** Besides those of every answer; names in lower case. */
  readonly headers?: Readonly<Record<string, string | number>>;
  /**
   * The version of what is answered, which its ETag names. Where the operation declares If-None-Match and the request names
   * this version, the answer is 304 without a body.
   */
  readonly version?: number | undefined;
  /**
   * A function writes the body itself, once the head is sent, and ends it; it is not called for HEAD, and the connection
   * closes after it. Without a body there is no content type either.
   */
  readonly body?: string | Buffer | Readable | ((stream: AnswerStream) => void);
}

/** Text or bytes are the body of an answer with the declared status and type. Undefined has no body. */
export type Answer = string | Buffer | Reply | undefined;

/** A declared operation, as the server holds it. The handler gets what the schemas made of the request. */
export interface Operation<Ports> extends OperationDeclaration<Ports> {
  /** Called once for each server. */
  readonly handle: (
    ports: Ports,
  ) => (request: OperationRequest<unknown, unknown, unknown, unknown, unknown>) => MaybePromise<Answer>;
}

/**
 * Declares one operation. `handle` takes the ports once for each server, and returns what answers requests. What is there
 * at once should be returned without a promise.
 */
export function operation<
  Ports,
  Access extends OperationAccess<Ports>,
  Params extends FieldsSchema | undefined = undefined,
  Query extends FieldsSchema | undefined = undefined,
  Headers extends FieldsSchema | undefined = undefined,
  Body extends BodyDeclaration | undefined = undefined,
>(
  declared: OperationDeclaration<
    Ports,
    Access,
    NonNullable<Params>,
    NonNullable<Query>,
    NonNullable<Headers>,
    Body
  > & {
    readonly handle: (
      ports: Ports,
    ) => (request: OperationRequest<Access, Params, Query, Headers, Body>) => MaybePromise<Answer>;
  },
): Operation<Ports> {
  // The server calls the handler with what the same schemas made of a request.
  return declared as unknown as Operation<Ports>;
}
