import { filledPath } from '../../api/filled-path.ts';
import type { Operation } from '../../api/operation.ts';
import type { CalledReply, CallParts } from '../../api/operation-call.ts';
import { IncomingMessage } from '../../base/node-http.ts';
import type { ClientAddresses } from './connection/client-addresses.ts';
import type { Endpoint } from './endpoint.ts';
import { errorReply } from './error-response.ts';
import { Exchange } from './exchange.ts';
import type { Execution, ExecutionOptions } from './execution.ts';

/** Headers of a request that are about it alone: a call for its caller does not have them. */
const OWN_HEADERS = ['idempotency-key', 'if-match', 'if-none-match', 'content-length', 'transfer-encoding'];

export interface OperationCallsOptions extends Pick<ExecutionOptions, 'guard' | 'log'> {
  readonly endpoints: readonly Endpoint[];
  readonly clients: ClientAddresses;
  readonly execution: Execution;
}

/** Requests that an operation makes to others for its caller. They pass the same checks as requests of clients: see `Guard`, `Execution`. */
export class OperationCalls {
  readonly #options: OperationCallsOptions;
  readonly #endpoints: ReadonlyMap<Operation<never>, Endpoint>;

  constructor(options: OperationCallsOptions) {
    this.#options = options;
    this.#endpoints = new Map(options.endpoints.map((endpoint) => [endpoint.operation, endpoint]));
  }

  /** Never rejects: whatever refuses the request is answered as to a client. */
  async make(operation: Operation<never>, parts: CallParts, outer: Exchange): Promise<CalledReply> {
    const { guard, execution, log } = this.#options;
    const exchange = this.#exchangeOf(operation, parts, outer);
    try {
      const endpoint = this.#endpoints.get(operation);
      if (endpoint === undefined) throw new Error(`${operation.id} is not served`);
      exchange.endpoint = endpoint;
      // The request may have waited since it was admitted.
      await guard.recheck(outer);
      await guard.admitFor(outer.caller!, endpoint, exchange);
      return toCalled(await execution.run(endpoint, exchange));
    } catch (error) {
      return toCalled(errorReply(error, exchange, log));
    }
  }

  /** A request that the service itself makes on the connection of `outer`. */
  #exchangeOf({ method, path }: Operation<never>, parts: CallParts, outer: Exchange): Exchange {
    const { params = {}, query = {}, headers = {}, body } = parts;
    const given = Object.fromEntries(
      Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
    );
    const incoming = new IncomingMessage(outer.incoming.socket);
    incoming.method = method;
    // The path has the form that a client would write, since stored responses are found by it.
    const search = new URLSearchParams(given).toString();
    incoming.url = filledPath(path, params) + (search === '' ? '' : `?${search}`);
    const inherited = Object.entries(outer.incoming.headers).filter(([name]) => !OWN_HEADERS.includes(name));
    incoming.headers = { ...Object.fromEntries(inherited), ...headers, 'x-request-id': outer.requestId };
    const { clients, guard } = this.#options;
    const exchange = new Exchange(incoming, outer.response, { clients, guard, calls: this });
    exchange.raw.params = params;
    exchange.raw.query = given;
    // As a client writes it: fields without a value are not sent.
    exchange.raw.body = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
    return exchange;
  }
}

function toCalled({ status, headers, body }: Awaited<ReturnType<Execution['run']>>): CalledReply {
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  return { status, headers, value: isText && body.length > 0 ? JSON.parse(body.toString()) : undefined };
}
