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
  /** Separated by spaces; without it all that the key has but `foods:write`, `admin` and `metrics`. */
  readonly scope?: string | undefined;
}

/** Access tokens, each for one user and a short time. */
export class Tokens {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Makes a token of this client's API key. Call it on your server and give the token to your app. */
  create({ userId, scope }: TokenRequest, options?: CallOptions): Promise<Token> {
    const { key } = this.#transport;
    if (key === undefined) throw new TypeError('A token is made of an API key; this client has none.');
    const body = { grant_type: 'client_credentials', client_secret: key, user_id: userId, scope };
    return this.#transport.json({ method: 'POST', path: '/v1/auth/token', as: 'nobody', body, options });
  }

  /** The public keys that tokens are signed with. */
  publicKeys(options?: CallOptions): Promise<TokenKeys> {
    return this.#transport.json({ path: '/.well-known/jwks.json', as: 'nobody', options });
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
    return new List(this.#transport, { path: '/v1/admin/keys', options }, query);
  }

  get(id: string, options?: CallOptions): Promise<Key> {
    return this.#transport.json({ path: path`/v1/admin/keys/${id}`, options });
  }

  /** Makes a key, which is shown this once. */
  create(input: KeyInput, options?: CallOptions): Promise<IssuedKey> {
    return this.#transport.json({ method: 'POST', path: '/v1/admin/keys', body: input, once: true, options });
  }

  change(id: string, patch: KeyPatch, options?: CallOptions): Promise<Key> {
    return this.#transport.json({ method: 'PATCH', path: path`/v1/admin/keys/${id}`, body: patch, options });
  }

  /** Makes a key that replaces another one, which is shown this once. */
  rotate(id: string, rotation: KeyRotation = {}, options?: CallOptions): Promise<IssuedKey> {
    const address = path`/v1/admin/keys/${id}/rotate`;
    return this.#transport.json({ method: 'POST', path: address, body: rotation, once: true, options });
  }

  revoke(id: string, options?: CallOptions): Promise<void> {
    return this.#transport.json({ method: 'DELETE', path: path`/v1/admin/keys/${id}`, options });
  }
}
