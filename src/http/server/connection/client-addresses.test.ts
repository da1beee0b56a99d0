import { expect, test } from 'vitest';
import { ClientAddresses } from './client-addresses.ts';

const believing = (trustedProxies: readonly string[]) => {
  const clients = new ClientAddresses({ trustedProxies, publicUrl: undefined });
  return (remoteAddress: string, forwardedFor?: string) =>
    clients.addressOf({
      socket: { remoteAddress },
      headers: forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor },
    });
};
const addressOf = believing(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '0.0.0.0/32']);
const CLIENT = '198.51.100.7';

test.each(['10.0.0.0', '10.255.255.255', '::ffff:10.1.2.3', '192.0.2.1', '2001:db8:1::1'])(
  '%s is believed',
  (address) => {
    expect(addressOf(address, CLIENT)).toBe(CLIENT);
  },
);

test.each([
  '11.0.0.0',
  '192.0.2.2',
  '2001:db9::1',
  '::ffff:11.1.2.3',
  '10.0.0.1:80',
  '10.0.0',
  'unknown',
  '',
])('"%s" is not', (address) => {
  expect(addressOf(address, CLIENT)).toBe(address);
});

test('the client is the last address that is no trusted proxy', () => {
  expect(addressOf('10.0.0.1', `203.0.113.9, ${CLIENT} , 10.0.0.2,, 192.0.2.1`)).toBe(CLIENT);
  expect(addressOf('10.0.0.1', 'unknown')).toBe('unknown');
});

test.each([undefined, '', ' , '])('a proxy that names nobody is the client itself: "%s"', (forwardedFor) => {
  expect(addressOf('10.0.0.1', forwardedFor)).toBe('10.0.0.1');
});

test('trusts at most ten proxies, so a long header costs no more than a short one', () => {
  const proxies = Array.from({ length: 12 }, (_, step) => `10.0.0.${step}`);
  expect(addressOf('10.0.0.99', proxies.join())).toBe('10.0.0.2');
});

test.each(['0.0.0.0/0', '::/0'])('%s is everybody of its family', (network) => {
  expect(believing([network])(network === '::/0' ? '2001:db8::1' : '192.0.2.1', CLIENT)).toBe(CLIENT);
});

const addressed = (
  publicUrl: string | undefined,
  headers: Record<string, string>,
  remoteAddress = '10.0.0.1',
) => {
  const clients = new ClientAddresses({ trustedProxies: ['10.0.0.0/8'], publicUrl });
  const request = { socket: { remoteAddress }, headers: { host: 'a.example', ...headers } };
  return [clients.basePathOf(request), clients.originOf(request as never)];
};

test.each([
  ['https://x.example', {}, '', 'https://x.example'],
  ['https://x.example/larder', {}, '/larder', 'https://x.example'],
  ['https://x.example/larder', { 'x-forwarded-prefix': '/other' }, '/larder', 'https://x.example'],
  [undefined, { 'x-forwarded-prefix': '/other, /larder/' }, '/larder', 'http://a.example'],
  [undefined, { 'x-forwarded-prefix': '/%2e%2e' }, '', 'http://a.example'],
  [undefined, {}, '', 'http://a.example'],
])('of %s and %j the base path is %j', (publicUrl, headers, basePath, origin) => {
  expect(addressed(publicUrl, headers)).toEqual([basePath, origin]);
});

test('nobody but a trusted proxy names a prefix', () => {
  expect(addressed(undefined, { 'x-forwarded-prefix': '/larder' }, '192.0.2.1')).toEqual([
    '',
    'http://a.example',
  ]);
});

test.each([
  [{ 'x-forwarded-proto': 'HTTPS', 'x-forwarded-host': 'food.example:8443' }, 'https://food.example:8443'],
  [{ 'x-forwarded-proto': 'javascript', 'x-forwarded-host': 'food.example' }, 'http://food.example'],
  [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'evil.example/"><script>' }, 'https://a.example'],
  [{ 'x-forwarded-host': 'user@evil.example' }, 'http://a.example'],
  [{ 'x-forwarded-host': '[2001:db8::1]:8080' }, 'http://[2001:db8::1]:8080'],
])('what a proxy forwards counts only in its form: %j', (headers, origin) => {
  expect(addressed(undefined, headers)[1]).toBe(origin);
});
