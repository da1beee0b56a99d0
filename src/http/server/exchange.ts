import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../../access/caller.ts';
import type { IdSource } from '../../time-ordered-id.ts';
import type { ClientAddresses } from './connection/client-addresses.ts';
import type { AcceptedRequest, Endpoint } from './endpoint.ts';
import { BASE_HEADERS, requestIdOf } from './headers.ts';
import type { RawRequest, ValidRequest } from './validation.ts';

type HeaderValue = string | number;

/**
 * One request and the headers of its answer. Its handler gets it as an `OperationRequest`, after the guard has set the
 * caller and the schemas have accepted the rest.
 */
export class Exchange implements AcceptedRequest {
  readonly incoming: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedAtMs: number;
  readonly requestId: string;
  /** Those of the answer; names in lower case. */
  readonly replyHeaders: Record<string, HeaderValue>;
  /** Path, query, headers and body as they came, untrusted. */
  readonly raw: { -readonly [Part in keyof RawRequest]: RawRequest[Part] };
  /** Undefined where the address has none, and until it is found. */
  endpoint: Endpoint | undefined;
  /** Whether a rate limit has counted the request. */
  isCounted: boolean;
  caller: Caller | undefined;
  params: unknown;
  query: unknown;
  headers: unknown;
  body: unknown;
  ids: IdSource | undefined;
  readonly #clients: ClientAddresses;

  /** Sets every field itself, so that all exchanges have one shape. */
  constructor(incoming: IncomingMessage, response: ServerResponse, clients: ClientAddresses) {
    const { headers } = incoming;
    this.incoming = incoming;
    this.response = response;
    this.startedAtMs = performance.now();
    this.requestId = requestIdOf(headers['x-request-id']);
    this.replyHeaders = { ...BASE_HEADERS, 'x-request-id': this.requestId };
    this.raw = { params: {}, query: {}, headers, body: undefined };
    this.endpoint = undefined;
    this.isCounted = false;
    this.caller = undefined;
    this.params = undefined;
    this.query = undefined;
    this.headers = undefined;
    this.body = undefined;
    this.ids = undefined;
    this.#clients = clients;
  }

  get address(): string {
    return this.#clients.addressOf(this.incoming);
  }

  get origin(): string {
    return this.#clients.originOf(this.incoming);
  }

  header(name: string, value: HeaderValue): void {
    this.replyHeaders[name] = value;
  }

  accept({ params, query, headers, body }: ValidRequest): void {
    this.params = params;
    this.query = query;
    this.headers = headers;
    this.body = body;
  }
}
