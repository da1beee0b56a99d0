import type { Logger } from 'pino';
import type { IdempotentRequests } from '../../idempotency/idempotent-requests.ts';
import type { Endpoint } from './endpoint.ts';
import { errorReply } from './error-response.ts';
import type { CompleteReply, Exchange } from './exchange.ts';
import type { Guard } from './guard.ts';
import { executeOnce, isRepeatable } from './idempotency.ts';

export interface ExecutionOptions {
  readonly guard: Guard;
  readonly idempotentRequests: IdempotentRequests;
  readonly log: Logger;
}

/** Executes requests that the guard has admitted and whose body is there. */
export class Execution {
  readonly #options: ExecutionOptions;

  constructor(options: ExecutionOptions) {
    this.#options = options;
  }

  /** Throws what refuses the request. */
  async run(endpoint: Endpoint, exchange: Exchange): Promise<CompleteReply> {
    const { idempotentRequests, log } = this.#options;
    if (exchange.raw.headers['idempotency-key'] === undefined || !isRepeatable(endpoint.operation)) {
      if (endpoint.operation.body !== undefined) return this.#perform(endpoint, exchange);
      endpoint.read(exchange);
      return endpoint.findKept(exchange) ?? endpoint.perform(exchange);
    }
    const execute = async () => {
      try {
        return await this.#perform(endpoint, exchange);
      } catch (error) {
        return errorReply(error, exchange, log);
      }
    };
    return executeOnce(exchange, idempotentRequests, execute);
  }

  async #perform(endpoint: Endpoint, exchange: Exchange): Promise<CompleteReply> {
    endpoint.read(exchange);
    const also = endpoint.operation.alsoCounts?.(exchange.body as never);
    if (also !== undefined) await this.#options.guard.countAlso(also, endpoint, exchange);
    return endpoint.perform(exchange);
  }
}
