import { SIGN_IN_MS, TICKET_FORM } from '../../people/openid/openid-sign-ins.ts';

const PLAIN = new RegExp(`(?:^|; ?)larder-openid=(${TICKET_FORM})(?:;|$)`);
const SECURE = new RegExp(`(?:^|; ?)__Host-larder-openid=(${TICKET_FORM})(?:;|$)`);

/** Returns the ticket of a sign-in that this browser has begun. */
export function readTicket(header: string | undefined, baseUrl: string): string | undefined {
  return header === undefined ? undefined : (isSecure(baseUrl) ? SECURE : PLAIN).exec(header)?.[1];
}

/** Returns the Set-Cookie header of a ticket; without one, the header that removes it. */
export function ticketCookie(baseUrl: string, ticket?: string): string {
  const maxAge = ticket === undefined ? 0 : SIGN_IN_MS / 1000;
  const [name, secure] = isSecure(baseUrl) ? ['__Host-larder-openid', '; Secure'] : ['larder-openid', ''];
  // Lax: the provider sends people back from another site.
  return `${name}=${ticket ?? ''}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
