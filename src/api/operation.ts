import type { Readable, Writable } from 'node:stream';
import type { ErrorCode } from '@larder/core/errors.ts';
import type { z } from 'zod';
import type { Caller, Scope } from '../access/api-key.ts';
import type { IdSource } from '../base/time-ordered-id.ts';
import type { LimitedOperation } from '../limits/operations.ts';
import type { CalledReply, CallParts, HeaderValue } from './operation-call.ts';

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
  | 'Set-Cookie'
  | 'Link'
  | 'Idempotency-Replayed';

/**
 * Place of the credential: `/v1` takes a key or token as a bearer, the unversioned paths a key in `x-api-key`, and token
 * requests a key as `client_secret` in the body.
 */
export type CredentialKind = 'bearer' | 'x-api-key' | 'client-secret';

/** The holder of a credential, with a scope where one is named. `requireUser` says who may use a path with `:userId`. */
export interface CallerAccess {
  readonly credential: CredentialKind;
  readonly scope?: Scope;
  /** A path with `:userId` is closed to sessions of others. */
  readonly alone?: true;
}

/** States who may call an operation. `Ports` holds the secret that another part of the installation sends as a bearer. */
export type OperationAccess<Ports> =
  | 'public'
  | CallerAccess
  | { readonly secret: (ports: Ports) => string | undefined };

export function isCallerAccess<Other>(access: Other | CallerAccess): access is CallerAccess {
  return typeof access === 'object' && access !== null && 'credential' in access;
}

/** An object of named fields, perhaps with a transform. */
export type FieldsSchema = z.ZodObject | z.ZodPipe<z.ZodObject, z.ZodTransform>;

export interface JsonBody<Schema extends z.ZodType = z.ZodType> {
  /** Schema of the body. A function selects the schema by the body, if bodies have several forms. */
  readonly schema: Schema | ((body: unknown) => Schema);
  /** The schema that the document shows instead, if `schema` takes more than it describes or is a function. */
  readonly described?: z.ZodType;
  /** Absent only where the operation is no part of the API. */
  readonly example?: unknown;
  /**
   * The longest body in bytes, see `BODY_LIMITS`. `one` and `many`: of a body that is not an array, and of one that is. The
   * first byte tells them apart.
   */
  readonly limit: number | { readonly one: number; readonly many: number };
  /** The request may come without a body, which is then read as `{}`. */
  readonly optional?: true;
  /** The body may also come as a form. */
  readonly form?: true;
  /** The body may also come as `application/ld+json`, which the document describes so. */
  readonly jsonLd?: { readonly schema: z.ZodType; readonly example: unknown };
}

/** One of the objects that a schema with `variants` in its metadata is described as. */
export interface Variant {
  readonly id: string;
  /** Required fields that not every variant requires. */
  readonly required: readonly string[];
  /** Fields that the variant does not have. */
  readonly without: readonly string[];
}

/** A file of one of the types, whose bytes the handler reads as they come, at most `limit`. Sent again it does nothing twice. */
export interface FileBody {
  readonly file: readonly [type: string, ...others: string[]];
  readonly sample: string;
  readonly limit: number;
}

/** `raw`: of any type and length; the handler reads the bytes. */
export type BodyDeclaration = JsonBody | FileBody | 'raw';

export interface AnswerDeclaration {
  /** 200 unless it says otherwise; 204 has no body. */
  readonly status?: 200 | 201 | 204;
  readonly description: string;
  /** The further meaning of a 200 with the same answer. */
  readonly known?: string;
  /** JSON unless it says otherwise. */
  readonly contentType?: string;
  /** Headers that not every answer has. */
  readonly headers?: readonly AnswerHeader[];
  /** The path below which `created` is; by default that of the operation. */
  readonly collection?: string;
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

/** The declaration of an operation without its handler. The OpenAPI document and the checks of requests are made of it. */
export interface OperationDeclaration<
  Ports = never,
  Access extends OperationAccess<Ports> = OperationAccess<Ports>,
  Params extends FieldsSchema = FieldsSchema,
  Query extends FieldsSchema = FieldsSchema,
  Headers extends FieldsSchema = FieldsSchema,
  Body extends BodyDeclaration | undefined = BodyDeclaration | undefined,
> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** URL path with `:name` for parameters. */
  readonly path: string;
  readonly id: string;
  /** Absent on operations that are no part of the API: the OpenAPI document leaves them out. */
  readonly tag?: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /**
   * Limit that the request counts towards. `uncounted`: outside all rate limits, as the signed URLs of a real object store would be.
   * `health`: probes of this node, counted by address and by this node alone. Neither is for callers.
   */
  readonly counts: LimitedOperation | 'uncounted' | 'health';
  /**
   * Pages may call it only from the service's own origin and those that CORS allows, since browsers of the clients that it is
   * for run on the same machine as services at home (DNS rebinding).
   */
  readonly ownPagesOnly?: true;
  /** A POST that changes nothing: it may be repeated as it is, and its answer is not stored for an Idempotency-Key. */
  readonly readsOnly?: true;
  /** Counts a request with this body as further operations; for the operation of `counts` it states the sum. */
  alsoCounts?(body: BodyOf<Body>): AlsoCounted | undefined;
  /** Throws where a URL that is too long has a more telling error than its length. Gets the query as it was sent. */
  refuseLongUrl?(query: Readonly<Record<string, unknown>>): void;
  /** False where this installation does not have the operation. */
  readonly served?: (ports: Ports) => boolean;
  readonly params?: Params;
  /** Parameters that it does not name are refused. */
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
  /** Path items of the document that addresses in the answer lead to, by name. */
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
// biome-ignore lint/suspicious/noExplicitAny: the server knows no schemas of operations.
export interface OperationRequest<Access = any, Params = any, Query = any, Headers = any, Body = any> {
  readonly caller: Access extends CallerAccess ? Caller : undefined;
  readonly params: FieldsOf<Params>;
  readonly query: FieldsOf<Query>;
  readonly headers: FieldsOf<Headers>;
  readonly body: BodyOf<Body>;
  /** Ids for what the request creates; undefined for a request without an Idempotency-Key. */
  readonly ids: IdSource | undefined;
  /** For an operation that waits: aborted when the client has left, or was answered. */
  left(): AbortSignal;
  /** Id of the request, as in X-Request-Id. */
  readonly requestId: string;
  /** The client's IP address. */
  readonly address: string;
  readonly cookies: string | undefined;
  /** Address at which the client reaches this service, such as `https://larder.example` or `https://home.example/larder`. */
  readonly baseUrl: string;
  /** Path of that address, such as `/larder`; empty at the root. */
  readonly basePath: string;
  /** Has another operation answer this caller: the request is checked, counted and executed as if a client had sent it. Never rejects. */
  call(operation: Operation<never>, parts: CallParts): Promise<CalledReply>;
}

type FieldsOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : Readonly<Record<never, never>>;
type BodyOf<Body> = Body extends 'raw' | FileBody
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
  /** HTTP status; by default the declared one. */
  readonly status?: number;
  /** Headers that not every answer has; names in lower case. */
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  /**
   * The version of what is answered, which its ETag names. Where the operation declares If-None-Match and the request names
   * this version, the answer is 304 without a body.
   */
  readonly version?: number | undefined;
  /** False for an answer that must not be kept, whatever the operation `keeps`. */
  readonly isKept?: boolean;
  /**
   * A function writes the body itself, once the head is sent, and ends it; it is not called for HEAD, and the connection
   * closes after it. Without a body there is no content type either.
   */
  readonly body?: string | Buffer | Readable | ((stream: AnswerStream) => void);
}

/** The answer of an operation as an object, with facts about it that a face writes in its own way. */
export interface Outcome {
  /** HTTP status; by default the declared one. */
  readonly status?: 200 | undefined;
  readonly value?: unknown;
  /** In place of `value`: a long list in parts. Each is written by itself, so that other requests are answered meanwhile. */
  readonly slices?: AsyncIterable<readonly unknown[]>;
  /** The version of the answer, see `Reply`. */
  readonly version?: number | undefined;
  /** The id of what was created. */
  readonly created?: string;
  /** The parameters of the next page of a list; absent on the last page. */
  readonly next?: Parameters | undefined;
  /** See `Reply`. */
  readonly isKept?: boolean;
}

/** Parameters of a query; those that are undefined are left out. */
export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** Text or bytes are the body of an answer with the declared status and type. Undefined has no body. */
export type Answer = string | Buffer | Reply | Outcome | undefined;

export function isOutcome(answer: Answer): answer is Outcome {
  return typeof answer === 'object' && !Buffer.isBuffer(answer) && ('value' in answer || 'slices' in answer);
}

/** The place of one answer. While the revision is the same, reading the data again would give the same answer. */
export interface CachePlace {
  readonly key: string;
  readonly revision: number | string;
}

/** The answers of an operation that each thread keeps, to send them again while the data is the same. */
export interface CachedAnswers<Ports, Request> {
  readonly maxBytes: number;
  /** Without waiting; undefined for an answer that is not kept. */
  placeOf(request: Request, ports: Ports): CachePlace | undefined;
}

/** A declared operation, as the server holds it. The handler gets what the schemas made of the request. */
export interface Operation<Ports> extends OperationDeclaration<Ports> {
  readonly keeps?: CachedAnswers<Ports, OperationRequest>;
  handle(request: OperationRequest, ports: Ports): Promise<Answer>;
}

/** Declares one operation. */
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
    readonly keeps?: CachedAnswers<Ports, OperationRequest<Access, Params, Query, Headers, Body>>;
    handle(request: OperationRequest<Access, Params, Query, Headers, Body>, ports: Ports): Promise<Answer>;
  },
): Operation<Ports> {
  // The server calls the handler with what the same schemas made of a request.
  return declared as unknown as Operation<Ports>;
}
