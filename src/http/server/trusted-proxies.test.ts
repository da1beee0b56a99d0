import { expect, test } from 'vitest';
import { trustedProxies } from './trusted-proxies.ts';

const trusts = trustedProxies(['10.0.0.0/8', '192.0.2.1', '2001:db8::/32', '0.0.0.0/32']);

test.each(['10.0.0.0', '10.255.255.255', '::ffff:10.1.2.3', '192.0.2.1', '2001:db8:1::1'])(
  '%s is believed',
  (address) => {
    expect(trusts(address, 0)).toBe(true);
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
  expect(trusts(address, 0)).toBe(false);
});

test('nobody is believed behind ten proxies, so a long header costs no more than a short one', () => {
  expect(Array.from({ length: 12 }, (_, steps) => trusts('10.0.0.1', steps)).lastIndexOf(true)).toBe(9);
});

test.each(['0.0.0.0/0', '::/0'])('%s is everybody of its family', (network) => {
  expect(trustedProxies([network])(network === '::/0' ? '2001:db8::1' : '192.0.2.1', 0)).toBe(true);
});
