import type { AuthorizationCodeGrantChecks, Configuration, CustomFetch } from 'openid-client';
import { readBounded } from '../../outgoing/bounded-response.ts';
import { parseLink } from '../../outgoing/http-get.ts';
import { httpRequest } from '../../outgoing/http-request.ts';
import type { OutgoingAddresses } from '../../outgoing/outgoing-addresses.ts';

/** Time limit of one request to the provider. */
const TIMEOUT_MS = 5_000;
const MAX_ANSWER_BYTES = 100_000;
/** The discovery document and the keys are read again after this time. */
const MAX_AGE_MS = 10 * 60_000;
/** Minimum time between requests while the provider does not answer. */
const RETRY_MS = 1_000;
const SCOPE = 'openid profile';
/** OpenID Connect Core 1.0, 2: at most 255 ASCII characters. Databases refuse some of the others. */
const SUBJECT = /^[\x20-\x7e]{1,255}$/;

export interface ProviderOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Empty for a public client. */
  readonly clientSecret: string;
  /** The address of this service to which the provider sends people back. */
  readonly callbackUrl: string;
  /** Other servers that the provider may name. */
  readonly addresses: OutgoingAddresses;
  readonly nowMs: () => number;
}

/** Secrets of one sign-in. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** What the provider says of a person. */
export interface Claims {
  readonly subject: string;
  /** When the person signed in at the provider, in Unix seconds; undefined where it does not say. */
  readonly signedInAt?: number | undefined;
  /** Asks for a name to be called by; undefined where it states none. */
  readonly name: () => Promise<string | undefined>;
}

/** The provider, or a server that it names, cannot be asked. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

type OpenIdClient = typeof import('openid-client');

/** An OpenID provider, by the authorization code flow with PKCE. The library is loaded with the first sign-in. */
export class Provider {
  readonly #options: ProviderOptions;
  #found: { readonly config: Configuration; readonly atMs: number } | undefined;
  #finding: Promise<Configuration> | undefined;
  #failure: { readonly error: unknown; readonly atMs: number } | undefined;

  constructor(options: ProviderOptions) {
    this.#options = options;
  }

  get issuer(): string {
    return this.#options.issuer;
  }

  /** Returns the address of the provider at which a person signs in: anew, where the last time was before `maxAgeSeconds`. */
  async addressFor(
    { state, nonce }: SignInSecrets,
    codeChallenge: string,
    maxAgeSeconds?: number,
  ): Promise<URL> {
    const client = await import('openid-client');
    return client.buildAuthorizationUrl(await this.#config(client), {
      redirect_uri: this.#options.callbackUrl,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: codeChallenge,
      code_challenge_method: 'S256',
      ...(maxAgeSeconds !== undefined && { prompt: 'login', max_age: String(maxAgeSeconds) }),
    });
  }

  /** Redeems the code of a callback. Rejects with `ProviderUnavailable`, and with errors of the library for what is not valid. */
  async redeem(query: URLSearchParams, { state, nonce, verifier }: SignInSecrets): Promise<Claims> {
    const client = await import('openid-client');
    const config = await this.#config(client);
    const checks: AuthorizationCodeGrantChecks = {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    };
    const tokens = await client.authorizationCodeGrant(
      config,
      new URL(`${this.#options.callbackUrl}?${query}`),
      checks,
    );
    const { sub: subject, auth_time: signedInAt, ...claims } = tokens.claims()!;
    if (!SUBJECT.test(subject)) throw new Error('the subject is not 1 to 255 ASCII characters');
    return {
      subject,
      signedInAt,
      async name() {
        const named = nameIn(claims);
        if (named !== undefined || config.serverMetadata().userinfo_endpoint === undefined) return named;
        return nameIn(await client.fetchUserInfo(config, tokens.access_token, subject));
      },
    };
  }

  async #config(client: OpenIdClient): Promise<Configuration> {
    const { nowMs } = this.#options;
    const found = this.#found;
    if (found !== undefined && Math.abs(nowMs() - found.atMs) < MAX_AGE_MS) return found.config;
    const failure = this.#failure;
    if (failure !== undefined && Math.abs(nowMs() - failure.atMs) < RETRY_MS) throw failure.error;
    this.#finding ??= this.#discover(client).finally(() => {
      this.#finding = undefined;
    });
    return this.#finding;
  }

  async #discover(client: OpenIdClient): Promise<Configuration> {
    const { issuer, clientId, nowMs } = this.#options;
    const isPlain = issuer.startsWith('http:');
    try {
      const config = await client.discovery(new URL(issuer), clientId, undefined, this.#clientAuth(client), {
        [client.customFetch]: this.#fetch,
        timeout: TIMEOUT_MS / 1000,
        execute: [client.enableNonRepudiationChecks, ...(isPlain ? [client.allowInsecureRequests] : [])],
      });
      requireAddresses(config.serverMetadata(), isPlain);
      this.#found = { config, atMs: nowMs() };
      this.#failure = undefined;
      return config;
    } catch (cause) {
      const error = new ProviderUnavailable(`the discovery document of ${issuer} cannot be read`, { cause });
      this.#failure = { error, atMs: nowMs() };
      throw error;
    }
  }

  /** The secret is sent as the provider takes it, preferably as OpenID Connect Core 1.0 names first. */
  #clientAuth({ ClientSecretBasic, ClientSecretPost, None }: OpenIdClient) {
    const { clientSecret } = this.#options;
    if (clientSecret === '') return None();
    const [basic, post] = [ClientSecretBasic(clientSecret), ClientSecretPost(clientSecret)];
    return ((server, ...rest) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
      return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
    }) satisfies typeof basic;
  }

  /** Sends the requests of the library by the rules of this service. */
  readonly #fetch: CustomFetch = async (address, { method, headers, body, signal }) => {
    const { issuer, addresses } = this.#options;
    const home = new URL(issuer);
    try {
      const url = parseLink(home, address);
      const isHome = url.origin === home.origin;
      if (!isHome) addresses.requireHost(url);
      const response = await httpRequest({
        url,
        method,
        headers,
        ...(body !== null && body !== undefined && { body: String(body) }),
        ...(signal && { signal }),
        ...(!isHome && { lookup: addresses.lookup }),
        answerTimeoutMs: TIMEOUT_MS,
        idleTimeoutMs: TIMEOUT_MS,
      });
      const status = response.statusCode!;
      const bytes = await readBounded(response, MAX_ANSWER_BYTES);
      if (status >= 500) throw new Error(`${url.host} answers ${status}`);
      const answered = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
      return new Response(bytes.length === 0 ? null : new Uint8Array(bytes), {
        status,
        headers: Object.fromEntries(answered),
      });
    } catch (cause) {
      throw new ProviderUnavailable(`${address} cannot be asked`, { cause });
    }
  };
}

/** Throws for a document whose addresses would fail, or lead people elsewhere than to a page, with the first sign-in. */
function requireAddresses(document: Readonly<Record<string, unknown>>, isPlain: boolean): void {
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri']) {
    const address = document[name];
    const protocol = typeof address === 'string' ? URL.parse(address)?.protocol : undefined;
    if (protocol !== 'https:' && !(isPlain && protocol === 'http:')) throw new Error(`${name} is no address`);
  }
}

const NAMES = ['name', 'preferred_username', 'nickname', 'given_name'] as const;

function nameIn(claims: Readonly<Record<string, unknown>>): string | undefined {
  return NAMES.map((key) => claims[key]).find((value): value is string => typeof value === 'string');
}
