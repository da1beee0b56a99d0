import { BlockList, isIP } from 'node:net';

/** How many proxies may stand before each other; addresses further left in X-Forwarded-For are not looked at. */
const MAX_PROXIES = 10;

/**
 * Whether the address, so many steps away from this service, is one of these proxies or networks and therefore believed
 * when it says from whom a request came.
 */
export function trustedProxies(networks: readonly string[]): (address: string, steps: number) => boolean {
  const trusted = new BlockList();
  for (const network of networks) {
    const [address, bits] = network.split('/') as [string, string?];
    if (bits === undefined) trusted.addAddress(address, familyOf(address));
    else trusted.addSubnet(address, Number(bits), familyOf(address));
  }
  return (address, steps) =>
    steps < MAX_PROXIES && isIP(address) !== 0 && trusted.check(address, familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}
