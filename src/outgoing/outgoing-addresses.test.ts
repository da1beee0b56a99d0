import type { lookup } from 'node:dns';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { OutgoingAddresses } from './outgoing-addresses.ts';

const open = (...allowed: string[]) => new OutgoingAddresses({ allowed });

test.each([
  '127.0.0.1',
  '127.255.0.3',
  '0.0.0.0',
  '10.1.2.3',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  'fe80::1',
  'fe80::1%eth0',
  'fc00::1',
  'fd12:3456::1',
  'ff02::1',
  '2001:db8::1',
  '2002:7f00:1::',
  '::ffff:127.0.0.1',
  '::FFFF:7f00:1',
  '0:0:0:0:0:ffff:a00:1',
  '64:ff9b::10.0.0.1',
  '::127.0.0.1',
  'localhost',
  '',
])('%j is not a public address', (address) => {
  expect(open().isAllowed(address)).toBe(false);
});

test.each(['1.1.1.1', '172.32.0.1', '192.0.1.1', '2606:4700::1111', '::ffff:8.8.8.8', '64:ff9b::808:808'])(
  '%j is a public address',
  (address) => {
    expect(open().isAllowed(address)).toBe(true);
  },
);

test('networks and addresses that the operator allows are allowed, in any notation', () => {
  const addresses = open('10.0.0.0/8', '127.0.0.1', 'fd00::/8');
  for (const address of ['10.9.9.9', '127.0.0.1', '::ffff:10.0.0.1', 'fd00::1'])
    expect(addresses.isAllowed(address), address).toBe(true);
  for (const address of ['127.0.0.2', '192.168.0.1', 'fe80::1'])
    expect(addresses.isAllowed(address), address).toBe(false);
});

test.each(['http://127.0.0.1/', 'http://[::1]:80/', 'http://2130706433/', 'http://0x7f.1/', 'https://0/'])(
  'the host of %s is rejected in any notation',
  (url) => {
    expect(() => open().requireHost(new URL(url))).toThrow(/LARDER_OUTGOING_NETWORKS/);
    expect(() => open('0.0.0.0/0', '::/0').requireHost(new URL(url))).not.toThrow();
  },
);

test('a name is checked by the addresses that a connection to it would use', async () => {
  const ask = (addresses: OutgoingAddresses, all: boolean) =>
    promisify(addresses.lookup as unknown as typeof lookup)('localhost', { all });
  for (const all of [true, false]) {
    await expect(ask(open(), all)).rejects.toThrow(/localhost is not on the internet/);
    await expect(ask(open('127.0.0.0/8', '::1'), all)).resolves.toBeDefined();
  }
});
