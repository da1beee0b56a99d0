import type { Readable, Writable } from 'node:stream';
import type { ErrorCode } from '@larder/core/errors.ts';
import type { z } from 'zod';
import type { Caller, Scope } from '../access/api-key.ts';
import type { SecurityEvent } from '../access/security-log.ts';
import type { IdSource } from '../base/time-ordered-id.ts';
import type { LimitedOperation } from '../limits/operations.ts';
import type { CalledReply, CallParts, HeaderValue } from './operation-call.ts';

/** Response headers that the document describes. */
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
  | 'Clear-Site-Data'
  | 'Link'
  | 'Limit-Applied'
  | 'Unknown-Excluded'
  | 'Idempotency-Replayed';

/** Credential: a bearer (`/v1`), a key in `x-api-key` (unversioned), or a key as `client_secret` (token requests). */
export type CredentialKind = 'bearer' | 'x-api-key' | 'client-secret';

/** The holder of a credential, with a scope if one is named. `requireUser` checks paths with `:userId`. */
export interface CallerAccess {
  readonly credential: CredentialKind;
  readonly scope?: Scope;
  /** Another scope that is enough. */
  readonly orScope?: Scope;
  /** A session needs a recent proof of who the person is; otherwise `confirmation_required`. Keys and tokens do not. */
  readonly confirmed?: true;
  /** A path with `:userId` rejects sessions of other users. */
  readonly alone?: true;
}

/** States who may call an operation. `Ports` has the secret that another part of the installation sends. */
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
  /** The schema in the document, if `schema` accepts more than it describes or is a function. */
  readonly described?: z.ZodType;
  /** Absent only if the operation is not part of the API. */
  readonly example?: unknown;
  /** Maximum bytes, see `BODY_LIMITS`. */
  readonly limit: number;
  /** The request may omit the body, which is then read as `{}`. */
  readonly optional?: true;
  /** The body may also be a form. */
  readonly form?: true;
  /** The body may also be `application/ld+json`, and the document describes that type. */
  readonly jsonLd?: { readonly schema: z.ZodType; readonly example: unknown };
}

/** One of the object types that describe a schema with `variants` in its metadata. */
export interface Variant {
  readonly id: string;
  /** Required fields that not every variant requires. */
  readonly required: readonly string[];
  /** Fields that the variant does not have. */
  readonly without: readonly string[];
}

/** A file of at most `limit` bytes, which the handler reads as a stream. Repeating it has no further effect. */
export interface FileBody {
  readonly file: readonly [type: string, ...others: string[]];
  readonly sample: string;
  readonly limit: number;
}

/** `raw`: any type and length; the handler reads the bytes. */
export type BodyDeclaration = JsonBody | FileBody | 'raw';

export interface AnswerDeclaration {
  /** 200 by default; 204 has no body. */
  readonly status?: 200 | 201 | 204;
  readonly description: string;
  /** An additional meaning of a 200 with the same response. */
  readonly known?: string;
  /** JSON by default. */
  readonly contentType?: string;
  /** Headers that not every response has. */
  readonly headers?: readonly AnswerHeader[];
  /** The path prefix of `created`; by default the path of the operation. */
  readonly collection?: string;
  readonly schema?: z.ZodType;
  readonly example?: unknown;
  /** Other media types of the same response, each with an example. */
  readonly alsoAs?: Readonly<Record<string, string>>;
  /** The response is stored for an Idempotency-Key only in encrypted form. */
  readonly holdsSecret?: true;
}

/** Number of requests that one request counts as. */
export interface AlsoCounted {
  readonly operation: LimitedOperation;
  readonly times: number;
}

/** An operation without its handler; the OpenAPI document and the validation are derived from it. */
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
  /** Absent on operations outside the API, which the OpenAPI document omits. */
  readonly tag?: string;
  readonly summary: string;
  readonly description?: string;
  readonly access: Access;
  /**
   * Rate limit that the request counts towards. `uncounted`: no rate limit, as for the signed URLs of an
   * object store. `health`: probes of this node, counted by address on this node only. Neither is for
   * callers.
   */
  readonly counts: LimitedOperation | 'uncounted' | 'health';
  /**
   * Web pages may call it only from origins of the service and those that CORS allows; if `named`, only where the service is known by
   * that name (DNS rebinding).
   */
  readonly ownPagesOnly?: true | 'named';
  /** A POST that changes nothing: it can be repeated, and its response is not stored for an Idempotency-Key. */
  readonly readsOnly?: true;
  /** Additional requests that this body counts as; for the operation named in `counts` the total. */
  alsoCounts?(body: BodyOf<Body>): AlsoCounted | undefined;
  /** Throws an error for a URL that is too long, if the operation has a more specific one. Gets the unparsed query. */
  refuseLongUrl?(query: Readonly<Record<string, unknown>>): void;
  /** False if the operation is disabled in this installation. */
  readonly served?: (ports: Ports) => boolean;
  readonly params?: Params;
  /** Unknown parameters are rejected. */
  readonly query?: Query;
  /** Request headers that the handler reads, spelled as in the document. */
  readonly headers?: Headers;
  /** An operation without it accepts no body. */
  readonly body?: Body;
  /** Field of the body that names the user of the response; by default the user of the path or the caller. */
  readonly subjectField?: string;
  readonly answer: AnswerDeclaration;
  /** Additional responses without a body: the meaning of each status. */
  readonly empty?: Readonly<Record<number, string>>;
  /** Path items of the document for addresses in the response, by name. */
  readonly addresses?: Readonly<Record<string, { readonly description: string; readonly schema: z.ZodType }>>;
  /** Schemas of JSON texts within the response; each has an id. */
  readonly leadsTo?: readonly z.ZodType[];
  /** Codes of this operation alone. */
  readonly errors?: readonly ErrorCode[];
}

/** A request that has passed the guard and the schemas. */
// biome-ignore lint/suspicious/noExplicitAny: the server knows no schemas of operations.
export interface OperationRequest<Access = any, Params = any, Query = any, Headers = any, Body = any> {
  readonly caller: Access extends CallerAccess ? Caller : undefined;
  readonly params: FieldsOf<Params>;
  readonly query: FieldsOf<Query>;
  readonly headers: FieldsOf<Headers>;
  readonly body: BodyOf<Body>;
  /** The request before the schemas. */
  readonly raw: { readonly body: unknown };
  /** Ids for objects that the request creates; undefined for a request without an Idempotency-Key. */
  readonly ids: IdSource | undefined;
  /** For an operation that waits: aborted when the client has left, or the response is sent. */
  left(): AbortSignal;
  /**
   * For an operation that waits or streams: checks the credential again. Rejects with the AppError that refuses it, such as
   * `invalid_api_key` for a key that was revoked meanwhile.
   */
  recheck(): Promise<void>;
  /**
   * States which person an operation without a caller has found to be the sender, for the log of security events, and what happened, where
   * that is not what the operation is for.
   */
  identify(personId: string, event?: SecurityEvent): void;
  /** Id of the request, as in X-Request-Id. */
  readonly requestId: string;
  /** The client's IP address. */
  readonly address: string;
  readonly cookies: string | undefined;
  /** Base URL by which the client reaches this service, such as `https://home.example/larder`. */
  readonly baseUrl: string;
  /** Path of the base URL, such as `/larder`; empty at the root. */
  readonly basePath: string;
  /** Calls another operation for this caller, like a request of a client. Never rejects. */
  call(operation: Operation<never>, parts: CallParts): Promise<CalledReply>;
}

type FieldsOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : Readonly<Record<never, never>>;
type BodyOf<Body> = Body extends 'raw' | FileBody
  ? AsyncIterable<Buffer>
  : Body extends JsonBody<infer Schema>
    ? z.output<Schema>
    : undefined;

/** The part of Node's response for long responses. Emits `close` when the client has left. */
export type AnswerStream = Pick<
  Writable,
  'write' | 'end' | 'destroy' | 'destroyed' | 'writableLength' | 'once'
>;

export interface Reply {
  /** HTTP status; by default the declared one. */
  readonly status?: number;
  /** Headers that not every response has; names in lower case. */
  readonly headers?: Readonly<Record<string, HeaderValue>>;
  /**
   * The version for the ETag: a number of changes, or `contentVersion`. With If-None-Match of this version, the response is 304 without
   * a body.
   */
  readonly version?: number | string | undefined;
  /** False for a response that must not be cached, whatever the operation `keeps`. */
  readonly isKept?: boolean;
  /**
   * A function writes the body itself after the head is sent, and ends it; it is not called for HEAD, and the
   * connection closes after it. A response without a body has no content type.
   */
  readonly body?: string | Buffer | Readable | ((stream: AnswerStream) => void);
}

/** The response of an operation as an object, with further data that each face presents in its own way. */
export interface Outcome {
  /** HTTP status; by default the declared one. */
  readonly status?: 200 | undefined;
  readonly value?: unknown;
  /** Alternative to `value`: a long list in parts, each written separately, so that other requests run in between. */
  readonly slices?: AsyncIterable<readonly unknown[]>;
  /** The version of the response, see `Reply`. */
  readonly version?: number | string | undefined;
  /** The id of the created object. */
  readonly created?: string;
  /** As `headers` of a `Reply`. */
  readonly headers?: Readonly<Record<string, HeaderValue>> | undefined;
  /** The parameters of the next page of a list; absent on the last page. */
  readonly next?: Parameters | undefined;
  /** See `Reply`. */
  readonly isKept?: boolean;
}

/** Query parameters; undefined ones are omitted. */
export type Parameters = Readonly<Record<string, string | number | undefined>>;

/** Text or bytes are the response body with the declared status and type. Undefined means no body. */
export type Answer = string | Buffer | Reply | Outcome | undefined;

export function isOutcome(answer: Answer): answer is Outcome {
  return typeof answer === 'object' && !Buffer.isBuffer(answer) && ('value' in answer || 'slices' in answer);
}

/** The cache slot of one response. While the revision is unchanged, the response is valid. */
export interface CacheSlot {
  readonly key: string;
  readonly revision: number | string;
}

/** The responses of an operation that each thread caches while the data is unchanged. */
export interface CachedAnswers<Ports, Request> {
  readonly maxBytes: number;
  /** Returns synchronously; undefined for an uncached response. */
  placeOf(request: Request, ports: Ports): CacheSlot | undefined;
}

/** A declared operation, as the server uses it. The handler gets the parsed request. */
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
  // The server calls the handler with the result of the same schemas.
  return declared as unknown as Operation<Ports>;
}
