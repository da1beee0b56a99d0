import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: oidc-provider has no types.
import Provider from 'oidc-provider';

export interface OpenIdProvider extends AsyncDisposable {
  readonly issuer: string;
  /** Sets the account that signs in from now on. */
  become(subject: string, name?: string): void;
  /** Responds to every request with 503, or works again. */
  break(isBroken: boolean): void;
  /** Requested paths. */
  readonly asked: readonly string[];
}

export const CLIENT = { id: 'larder', secret: 'a secret of the client, long enough' };

interface GrantContext {
  readonly oidc: {
    readonly client: { readonly clientId: string };
    readonly session: { readonly accountId: string };
    readonly provider: {
      readonly Grant: new (facts: object) => { addOIDCScope(scope: string): void; save(): Promise<string> };
    };
  };
}

/** An OpenID provider on loopback that signs everybody in at once as the account of `become`. */
export async function openOpenIdProvider(redirectUri: string, port = 0): Promise<OpenIdProvider> {
  const server: Server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let account = { subject: 'ann', name: 'Ann' as string | undefined };
  let isBroken = false;
  const names = new Map<string, string | undefined>();
  const asked: string[] = [];
  const provider = new Provider(issuer, {
    clients: [{ client_id: CLIENT.id, client_secret: CLIENT.secret, redirect_uris: [redirectUri] }],
    claims: { openid: ['sub'], profile: ['name'] },
    cookies: { keys: ['a key of cookies'] },
    features: { devInteractions: { enabled: false } },
    pkce: { required: () => true },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, subject: string) => ({
      accountId: subject,
      claims: async () => ({ sub: subject, name: names.get(subject) }),
    }),
    async loadExistingGrant({ oidc }: GrantContext) {
      const grant = new oidc.provider.Grant({
        clientId: oidc.client.clientId,
        accountId: oidc.session.accountId,
      });
      grant.addOIDCScope('openid profile');
      await grant.save();
      return grant;
    },
  });
  const serve = provider.callback();
  server.on('request', async (request, response) => {
    asked.push(request.url!.split('?')[0]!);
    if (isBroken) response.writeHead(503).end();
    else if (request.url!.startsWith('/interaction/')) {
      names.set(account.subject, account.name);
      await provider.interactionFinished(request, response, { login: { accountId: account.subject } });
    } else serve(request, response);
  });
  return {
    issuer,
    asked,
    become(subject, name) {
      account = { subject, name };
    },
    break(broken) {
      isBroken = broken;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
