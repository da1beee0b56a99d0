import { Keys, Tokens } from './access.ts';
import { Foods } from './foods.ts';
import type { ListUsersData, TenantUser } from './generated/types.gen.ts';
import { List } from './http/list.ts';
import type { CallOptions, LarderOptions } from './http/options.ts';
import { Transport } from './http/transport.ts';
import { Scans } from './scans/scans.ts';
import { Service } from './service.ts';
import { Unversioned } from './unversioned.ts';
import { User } from './users/user.ts';
import { Webhooks } from './webhooks.ts';

export type UserListQuery = NonNullable<ListUsersData['query']>;

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
   * Sends one request and returns its response with any status: for everything that this client has no method
   * for. A path is sent to the service with the credential, a complete URL to its server without.
   */
  request(path: string, init: RequestInit = {}): Promise<Response> {
    return this.#transport.request(path, init);
  }

  /** The users of the tenant who have a diary; needs the scope `admin`. */
  users(query: UserListQuery = {}, options?: CallOptions): List<TenantUser> {
    return new List(this.#transport, { path: '/v1/users', options }, query);
  }

  /** A user of your app, by the id that your app gives them. */
  user(id: string): User {
    return new User(this.#transport, id);
  }
}
