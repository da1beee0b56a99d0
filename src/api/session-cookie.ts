import { SESSION_MS } from '../people/person.ts';
import { SECRET_FORM } from '../people/sessions.ts';

const PLAIN = new RegExp(`(?:^|; ?)larder=(${SECRET_FORM})(?:;|$)`);
/** Browsers take a cookie with this prefix only over TLS and only from this host (RFC 6265bis, 4.1.3.2). */
const SECURE = new RegExp(`(?:^|; ?)__Host-larder=(${SECRET_FORM})(?:;|$)`);

/** Returns the value of the session's cookie at this address. */
export function readSessionCookie(header: string | undefined, baseUrl: string): string | undefined {
  return header === undefined ? undefined : (isSecure(baseUrl) ? SECURE : PLAIN).exec(header)?.[1];
}

/** Returns the Set-Cookie header of a session; without a value, the one that removes it. */
export function sessionCookie(baseUrl: string, value?: string): string {
  const maxAge = value === undefined ? 0 : SESSION_MS / 1000;
  const [name, secure] = isSecure(baseUrl) ? ['__Host-larder', '; Secure'] : ['larder', ''];
  return `${name}=${value ?? ''}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
