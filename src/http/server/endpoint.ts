import {
  type CacheSlot,
  type CallerAccess,
  isCallerAccess,
  type Operation,
  type OperationRequest,
} from '../../api/operation.ts';
import { createValidation, type RawRequest, shapeOf, type ValidRequest } from '../../api/validation.ts';
import { withAcceptedLanguages } from './accepted-languages.ts';
import { completeReply } from './complete-reply.ts';
import type { CompleteReply, Exchange } from './exchange.ts';
import { ResponseCache } from './response-cache.ts';

/** An operation of an installation, together with what it needs to answer requests. */
export class Endpoint {
  readonly operation: Operation<never>;
  readonly access: 'public' | { readonly secret: string } | CallerAccess;
  /** The access where it is for callers. */
  readonly callers: CallerAccess | undefined;
  readonly #ports: never;
  readonly #validate: (raw: RawRequest) => ValidRequest;
  readonly #cache: ResponseCache | undefined;
  readonly #takesLanguages: boolean;

  constructor(operation: Operation<never>, ports: never) {
    const { access, counts, keeps } = operation;
    this.callers = isCallerAccess(access) ? access : undefined;
    if ((counts === 'uncounted' || counts === 'health') && this.callers !== undefined)
      throw new Error(`an operation that counts as ${counts} is not for callers`);
    this.operation = operation;
    this.access = access !== 'public' && 'secret' in access ? { secret: access.secret(ports)! } : access;
    this.#ports = ports;
    this.#validate = createValidation(operation);
    this.#takesLanguages = operation.query !== undefined && 'lang' in shapeOf(operation.query);
    this.#cache = keeps && new ResponseCache(keeps);
  }

  /** Reads the request by the schemas. Sessions ask for the languages of their browser unless they name others. Throws the AppError of the first part that does not fit. */
  read(exchange: Exchange): void {
    const { raw, caller } = exchange;
    if (this.#takesLanguages && caller?.session !== undefined) raw.query = withAcceptedLanguages(raw);
    const { params, query, headers, body } = this.#validate(raw);
    exchange.params = params;
    exchange.query = query;
    const { limit } = query as { readonly limit?: unknown };
    if (typeof limit === 'number' && Number(raw.query['limit']) > limit)
      exchange.replyHeaders['limit-applied'] = limit;
    exchange.headers = headers;
    exchange.body = body;
  }

  /** The answer of an earlier request, if it was kept and nothing has changed since. */
  findKept(exchange: Exchange): CompleteReply | undefined {
    if (this.#cache === undefined) return undefined;
    exchange.place = this.#placeOf(exchange);
    return exchange.place && this.#cache.find(exchange.place);
  }

  #placeOf(exchange: Exchange): CacheSlot | undefined {
    const place = this.operation.keeps!.placeOf(exchange as OperationRequest, this.#ports);
    const { basePath } = exchange;
    // Links of the answer contain it.
    return place && basePath !== '' ? { ...place, key: `${basePath}\n${place.key}` } : place;
  }

  async perform(exchange: Exchange): Promise<CompleteReply> {
    const answer = await this.operation.handle(exchange as OperationRequest, this.#ports);
    const reply = await completeReply(this.operation, answer, exchange);
    const { place } = exchange;
    // A change while the handler read its data may be in the answer.
    if (place !== undefined && reply.isKept && this.#placeOf(exchange)?.revision === place.revision)
      this.#cache!.keep(place, reply);
    return reply;
  }
}

/** The endpoints of an installation; without operations that it does not have. */
export function toEndpoints<Ports>(operations: readonly Operation<Ports>[], ports: Ports): Endpoint[] {
  return operations
    .filter(({ served }) => served?.(ports) !== false)
    .map((operation) => new Endpoint(operation as Operation<never>, ports as never));
}
