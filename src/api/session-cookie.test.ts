import { expect, test } from 'vitest';
import { readSessionCookie, sessionCookie } from './session-cookie.ts';

const VALUE = 'a'.repeat(43);
const HTTP = 'http://127.0.0.1:8080';
const HTTPS = 'https://food.example/larder';

test('over TLS the cookie is bound to the host', () => {
  expect(sessionCookie(HTTPS, VALUE)).toBe(
    `__Host-larder=${VALUE}; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax; Secure`,
  );
  expect(sessionCookie(HTTP, VALUE)).toBe(`larder=${VALUE}; Path=/; Max-Age=7776000; HttpOnly; SameSite=Lax`);
  expect(sessionCookie(HTTP)).toBe('larder=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax');
});

test.each([
  [HTTP, `larder=${VALUE}`, VALUE],
  [HTTP, `theme=dark; larder=${VALUE}; x=y`, VALUE],
  [HTTPS, `__Host-larder=${VALUE}`, VALUE],
  // Another program on the host, or on its domain, may have set these cookies.
  [HTTPS, `larder=${VALUE}`, undefined],
  [HTTP, `__Host-larder=${VALUE}`, undefined],
  [HTTP, `my-larder=${VALUE}`, undefined],
  [HTTP, `larder=${VALUE}a`, undefined],
  [HTTP, 'larder=', undefined],
  [HTTP, undefined, undefined],
])('at %s the session in "%s" is %s', (baseUrl, header, value) => {
  expect(readSessionCookie(header, baseUrl)).toBe(value);
});
