import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import {
  type OpenIdSignIns,
  type Purpose,
  SIGN_IN_MS,
  TICKET_FORM,
} from '../../people/openid/openid-sign-ins.ts';
import type { Sessions } from '../../people/sessions.ts';
import type { Reply } from '../operation.ts';

export interface OpenIdPorts {
  /** Absent if sign-in by OpenID is not configured. */
  readonly openId: OpenIdSignIns | undefined;
  readonly sessions: Sessions;
}

export const PEOPLE_TAG = 'People (v1)';

export const openIdAddress = z
  .object({ url: z.url().describe('Where the page leads the person next, at the provider.') })
  .meta({ id: 'OpenIdAddress' });
export const EXAMPLE_ADDRESS = { url: 'https://login.example.org/auth?client_id=larder&state=…' };

export function requireOpenId({ openId }: OpenIdPorts): OpenIdSignIns {
  if (openId !== undefined) return openId;
  throw new AppError({
    code: 'not_found',
    message: 'Sign-in by OpenID is not configured; the operator can set LARDER_OPENID_ISSUER.',
  });
}

/** Returns a redirect to the provider, with the ticket in a cookie. */
export async function leadToProvider(ports: OpenIdPorts, purpose: Purpose, baseUrl: string): Promise<Reply> {
  const begun = await requireOpenId(ports).begin(purpose);
  if (begun === undefined)
    throw new AppError({
      code: 'unavailable',
      message: 'The OpenID provider does not answer; try again in a moment, or sign in with a password.',
    });
  return {
    headers: { 'set-cookie': ticketCookie(baseUrl, begun.ticket), 'cache-control': 'no-store' },
    body: JSON.stringify({ url: begun.url.href }),
  };
}

const PLAIN = new RegExp(`(?:^|; ?)larder-openid=(${TICKET_FORM})(?:;|$)`);
const SECURE = new RegExp(`(?:^|; ?)__Host-larder-openid=(${TICKET_FORM})(?:;|$)`);

/** Returns the ticket of the sign-in that this browser has begun. */
export function readTicket(header: string | undefined, baseUrl: string): string | undefined {
  return header === undefined ? undefined : (isSecure(baseUrl) ? SECURE : PLAIN).exec(header)?.[1];
}

/** Returns the Set-Cookie header of a ticket; without a ticket, the header that removes it. */
export function ticketCookie(baseUrl: string, ticket?: string): string {
  const maxAge = ticket === undefined ? 0 : SIGN_IN_MS / 1000;
  const [name, secure] = isSecure(baseUrl) ? ['__Host-larder-openid', '; Secure'] : ['larder-openid', ''];
  // The cookie is Lax, because the provider redirects people from another site.
  return `${name}=${ticket ?? ''}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
