import type { ListUsersData, TenantUser } from './generated/types.gen.ts';
import { List } from './http/list.ts';
import type { CallOptions, LarderOptions } from './http/options.ts';
import { callOf, queryOf } from './http/path.ts';
import { Transport } from './http/transport.ts';
import type { Answered, Asking, OperationName } from './methods/ask.ts';
import { Keys, Service, Webhooks } from './methods/methods.gen.ts';
import { Foods, Tokens, Unversioned } from './resources.ts';
import { Scans } from './scans/scans.ts';
import { User } from './users/user.ts';

/** A Larder service, accessed with one API key or access token. */
export class Larder {
  readonly foods: Foods;
  readonly scans: Scans;
  readonly tokens: Tokens;
  readonly keys: Keys;
  readonly service: Service;
  readonly unversioned: Unversioned;
  readonly webhooks: Webhooks;
  readonly #transport: Transport;

  constructor(options: LarderOptions) {
    this.#transport = new Transport(options);
    this.foods = new Foods(this.#transport);
    this.scans = new Scans(this.#transport);
    this.tokens = new Tokens(this.#transport);
    this.keys = new Keys(this.#transport);
    this.service = new Service(this.#transport);
    this.unversioned = new Unversioned(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
  }

  /**
   * Asks for any operation of the OpenAPI document, such as `ask('GET /v1/people')`, with its types. It is repeated only if `maxRetries`
   * says so.
   */
  ask<Name extends OperationName>(name: Name, ...[asked, options]: Asking<Name>): Promise<Answered<Name>> {
    const [call, query] = callOf(name, asked, { maxRetries: 0, ...options });
    return this.#transport.json({ ...call, path: call.path + queryOf(query) });
  }

  /** As `ask`, for a list in pages. */
  list<Name extends OperationName>(
    name: Name,
    ...[asked, options]: Asking<Name>
  ): List<Answered<Name> extends readonly (infer Item)[] ? Item : never> {
    return new List(this.#transport, ...callOf(name, asked, options));
  }

  /**
   * Sends one request and returns its response with any status: for everything that this client has no method
   * for. A path is sent to the service with the credential, a complete URL to its server without.
   */
  request(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#transport.request(path, init);
  }

  /** The users of the tenant who have a diary; needs the scope `admin`. */
  users(query: NonNullable<ListUsersData['query']> = {}, options?: CallOptions): List<TenantUser> {
    return this.list('GET /v1/users', { query }, options);
  }

  /** A user of your app, by the id that your app gives them. */
  user(id: string): User {
    return new User(this.#transport, id);
  }
}
