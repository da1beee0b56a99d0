import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Logger } from 'pino';
import { AppError } from '../../errors.ts';
import type { IdempotentRequests } from '../../idempotency/idempotent-requests.ts';
import { andThen, type MaybePromise } from '../../maybe-promise.ts';
import { admit } from './admission.ts';
import { bodyTooLarge, hasBody, readBody } from './body/body.ts';
import { dropRest, rawBody } from './body/raw-body.ts';
import type { ClientAddresses } from './connection/client-addresses.ts';
import { type AllowOrigin, isPreflight, preflightReply } from './cors.ts';
import type { Endpoint } from './endpoint.ts';
import { errorReply } from './error-response.ts';
import { Exchange } from './exchange.ts';
import type { Guard } from './guard.ts';
import { executeOnce, isRepeatable } from './idempotency.ts';
import { type CompleteReply, completeReply, sendReply } from './reply.ts';
import type { RequestLog, RequestObserver } from './request-log.ts';
import type { FoundPath, Router } from './router.ts';

export interface RequestHandlerPorts {
  readonly router: Router;
  readonly guard: Guard;
  readonly clients: ClientAddresses;
  readonly allowOrigin: AllowOrigin | undefined;
  readonly observer: RequestObserver;
  readonly idempotentRequests: IdempotentRequests;
  readonly requests: RequestLog;
  readonly log: Logger;
  readonly isStopping: () => boolean;
}

/**
 * The life of every request, from top to bottom. Each step throws or rejects with what refuses the request, and is done at
 * once unless something has to be waited for: a promise costs as much as looking up a food.
 */
export class RequestHandler {
  readonly #ports: RequestHandlerPorts;

  constructor(ports: RequestHandlerPorts) {
    this.#ports = ports;
  }

  /** Never throws. */
  readonly take = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { clients, observer } = this.#ports;
    const exchange = new Exchange(incoming, response, clients);
    // Rejected requests are counted as started.
    observer.started();
    try {
      const done = this.#answer(exchange);
      if (done instanceof Promise) done.catch((error) => this.#refuse(exchange, error));
    } catch (error) {
      this.#refuse(exchange, error);
    }
  };

  #answer(exchange: Exchange): MaybePromise<void> {
    const { router, guard, allowOrigin, isStopping } = this.#ports;
    const mayBeRead = allowOrigin?.(exchange) === true;
    const found = router.find(exchange.incoming.url!);
    // Uncounted: browsers ask once for each address, and to refuse costs as much as to answer. And before anything else
    // refuses it: a page may only read why its request is refused where its preflight is not.
    if (mayBeRead && isPreflight(exchange) && found.allowed.length > 0) {
      return this.#send(exchange, preflightReply(found.allowed));
    }
    const endpoint = found.endpoints.get(exchange.incoming.method!);
    exchange.endpoint = endpoint;
    exchange.raw.params = found.params;
    exchange.raw.query = found.query;
    admit(exchange, endpoint, isStopping());
    if (endpoint === undefined) {
      return guard.unknown(exchange).then(() => {
        throw notFound(exchange, found);
      });
    }
    return andThen(guard.beforeBody(endpoint, exchange), () => this.#run(endpoint, exchange));
  }

  #run(endpoint: Endpoint, exchange: Exchange): MaybePromise<void> {
    if (endpoint.body !== undefined) return this.#runWithBody(endpoint, endpoint.body, exchange);
    if (hasBody(exchange.incoming)) throw bodyTooLarge(0);
    return andThen(this.#perform(endpoint, exchange), (reply) => this.#send(exchange, reply));
  }

  async #runWithBody(
    endpoint: Endpoint,
    declared: NonNullable<Endpoint['body']>,
    exchange: Exchange,
  ): Promise<void> {
    const { guard, idempotentRequests, log } = this.#ports;
    const { incoming, raw, requestId } = exchange;
    // The rest of the body is not worth waiting for.
    const giveUp = () => exchange.header('connection', 'close');
    if (declared === 'raw') raw.body = rawBody(incoming, giveUp);
    else {
      try {
        raw.body = await readBody(exchange, declared);
      } catch (error) {
        if (!incoming.complete) giveUp();
        throw error;
      }
    }
    await guard.afterBody(endpoint, exchange);
    if (incoming.headers['idempotency-key'] === undefined || !isRepeatable(endpoint)) {
      return this.#send(exchange, await this.#perform(endpoint, exchange));
    }
    const execute = async () => {
      try {
        return await this.#perform(endpoint, exchange);
      } catch (error) {
        return errorReply(error, requestId, log);
      }
    };
    this.#send(exchange, await executeOnce(exchange, idempotentRequests, execute));
  }

  #perform(endpoint: Endpoint, exchange: Exchange): MaybePromise<CompleteReply> {
    exchange.accept(endpoint.validate(exchange.raw));
    const answer = andThen(this.#ports.guard.afterValidation(endpoint, exchange), () =>
      endpoint.handle(exchange),
    );
    return andThen(answer, (answered) =>
      completeReply(endpoint, answered, exchange.incoming.headers['if-none-match']),
    );
  }

  #send(exchange: Exchange, reply: CompleteReply): void {
    const { requests } = this.#ports;
    const { response } = exchange;
    sendReply(exchange, reply, (error) => this.#refuse(exchange, error));
    if (response.writableEnded) requests.finished(exchange);
    else response.once('close', () => requests.finished(exchange));
  }

  /** Never throws. */
  #refuse(exchange: Exchange, error: unknown): void {
    const { guard, log } = this.#ports;
    const { incoming, endpoint, isCounted, requestId } = exchange;
    if (hasBody(incoming) && !incoming.complete) dropRest(incoming);
    const send = () => this.#send(exchange, errorReply(error, requestId, log));
    try {
      const counted = isCounted || endpoint?.counts === 'uncounted' ? undefined : guard.refused(exchange);
      if (counted instanceof Promise) counted.then(send).catch((cause) => this.#giveUp(exchange, cause));
      else send();
    } catch (cause) {
      this.#giveUp(exchange, cause);
    }
  }

  /** Ends the connection of a request that cannot be answered. */
  #giveUp({ response, requestId }: Exchange, err: unknown): void {
    const { log } = this.#ports;
    log.error({ err, requestId }, 'request could not be answered');
    response.destroy();
  }
}

function notFound(exchange: Exchange, { allowed }: FoundPath): AppError {
  if (allowed.length === 0) {
    return new AppError({ code: 'not_found', message: 'There is nothing at this address; see /docs.' });
  }
  exchange.header('allow', allowed.join(', '));
  return new AppError({
    code: 'method_not_allowed',
    message: `This address answers ${allowed.join(', ')} only.`,
    details: { allowed },
  });
}
