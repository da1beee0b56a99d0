import { deviceMark, MARK_FORM } from '../people/known-device.ts';
import { SESSION_MS } from '../people/person.ts';
import { SECRET_FORM } from '../people/sessions.ts';

const PLAIN = new RegExp(`(?:^|; ?)larder=(${SECRET_FORM})(?:;|$)`);
/** Browsers take a cookie with this prefix only over TLS and only from this host (RFC 6265bis, 4.1.3.2). */
const SECURE = new RegExp(`(?:^|; ?)__Host-larder=(${SECRET_FORM})(?:;|$)`);

/** Returns the value of the session's cookie at this address. */
export function readSessionCookie(header: string | undefined, baseUrl: string): string | undefined {
  return header === undefined ? undefined : (isSecure(baseUrl) ? SECURE : PLAIN).exec(header)?.[1];
}

/** Returns the Set-Cookie header of a session; without a value, the header that removes it. */
export function sessionCookie(baseUrl: string, value?: string): string {
  const maxAge = value === undefined ? 0 : SESSION_MS / 1000;
  const [name, secure] = isSecure(baseUrl) ? ['__Host-larder', '; Secure'] : ['larder', ''];
  return `${name}=${value ?? ''}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`;
}

const PLAIN_MARK = new RegExp(`(?:^|; ?)larder-device=(${MARK_FORM})(?:;|$)`);
const SECURE_MARK = new RegExp(`(?:^|; ?)__Host-larder-device=(${MARK_FORM})(?:;|$)`);
/** Browsers allow no longer lifetime (RFC 6265bis, 5.5). */
const MARK_SECONDS = 400 * 86_400;

/** Returns the mark of a browser in which somebody has already signed in; see `deviceMark`. */
export function readDeviceMark(header: string | undefined, baseUrl: string): string | undefined {
  return header === undefined ? undefined : (isSecure(baseUrl) ? SECURE_MARK : PLAIN_MARK).exec(header)?.[1];
}

export function deviceCookie(baseUrl: string, password: string): string {
  const [name, secure] = isSecure(baseUrl) ? ['__Host-larder-device', '; Secure'] : ['larder-device', ''];
  return `${name}=${deviceMark(password)}; Path=/; Max-Age=${MARK_SECONDS}; HttpOnly; SameSite=Strict${secure}`;
}

function isSecure(baseUrl: string): boolean {
  return baseUrl.startsWith('https:');
}
