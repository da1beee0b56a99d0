import type {
  IssuedKey,
  Key,
  KeyInput,
  KeyPatch,
  KeyRotation,
  ListKeysData,
  Token,
  TokenKeys,
} from './generated/types.gen.ts';
import { List } from './http/list.ts';
import type { CallOptions } from './http/options.ts';
import { path } from './http/path.ts';
import type { Transport } from './http/transport.ts';

export interface TokenRequest {
  /** The user of your app whom the token is for. */
  readonly userId: string;
  /** Separated by spaces; by default all scopes of the key except `foods:write`, `admin` and `metrics`. */
  readonly scope?: string | undefined;
}

/** Access tokens, each for one user and a short time. */
export class Tokens {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Creates a token from this client's API key. Call it on your server and give the token to your app. */
  create({ userId, scope }: TokenRequest, options?: CallOptions): Promise<Token> {
    const { key } = this.#transport;
    if (key === undefined) throw new TypeError('Only a client with an API key can create tokens.');
    const body = { grant_type: 'client_credentials', client_secret: key, user_id: userId, scope };
    return this.#transport.json('POST', '/v1/auth/token', options, { as: 'nobody', body });
  }

  /** The public keys that tokens are signed with. */
  publicKeys(options?: CallOptions): Promise<TokenKeys> {
    return this.#transport.json('GET', '/.well-known/jwks.json', options, { as: 'nobody' });
  }
}

export type KeyListQuery = NonNullable<ListKeysData['query']>;

/** The API keys of a tenant; needs the scope `admin`. */
export class Keys {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(query: KeyListQuery = {}, options?: CallOptions): List<Key> {
    return new List(this.#transport, { path: '/v1/keys', options }, query);
  }

  get(id: string, options?: CallOptions): Promise<Key> {
    return this.#transport.json('GET', path`/v1/keys/${id}`, options);
  }

  /** Creates a key. The response is the only one that contains it. */
  create(input: KeyInput, options?: CallOptions): Promise<IssuedKey> {
    return this.#transport.json('POST', '/v1/keys', options, { body: input });
  }

  change(id: string, patch: KeyPatch, options?: CallOptions): Promise<Key> {
    return this.#transport.json('PATCH', path`/v1/keys/${id}`, options, { body: patch });
  }

  /** Creates a key that replaces another one. The response is the only one that contains it. */
  rotate(id: string, rotation: KeyRotation = {}, options?: CallOptions): Promise<IssuedKey> {
    const address = path`/v1/keys/${id}/rotate`;
    return this.#transport.json('POST', address, options, { body: rotation, once: true });
  }

  revoke(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.json('DELETE', path`/v1/keys/${id}`, options);
  }
}
