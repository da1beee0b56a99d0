import { lookup as lookUpName } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { OperatorError } from '@larder/core/errors.ts';

/** Ranges that no public server has. Source: IANA's registries of special-purpose IPv4 and IPv6 addresses (RFC 6890). */
const SPECIAL_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];
/** The allocated public addresses, without those that lead to IPv4 or are for documentation. */
const GLOBAL_IPV6 = ['2000::/3'];
const SPECIAL_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
/** Notations of an IPv4 address: mapped (RFC 4291) and for translation (RFC 6052). */
const IPV4_IN_IPV6 = /^(?:::ffff:|64:ff9b::)(?:(\d+\.\d+\.\d+\.\d+)|([0-9a-f]{1,4}):([0-9a-f]{1,4}))$/;

const specialIpv4 = toList(SPECIAL_IPV4);
const globalIpv6 = toList(GLOBAL_IPV6);
const specialIpv6 = toList(SPECIAL_IPV6);

/**
 * Restricts requests whose destination an outsider chose: a server by a redirect, an issuer by its discovery document.
 * Allows public addresses and networks that the operator allows. Configured destinations need no permission.
 */
export class OutgoingAddresses {
  readonly #allowed: BlockList;
  readonly #setting: string;

  /** `setting` names the allowed networks. */
  constructor({
    allowed,
    setting = 'LARDER_OUTGOING_NETWORKS',
  }: { allowed: readonly string[]; setting?: string }) {
    this.#allowed = toList(allowed);
    this.#setting = setting;
  }

  isAllowed(address: string): boolean {
    const plain = toIpv4(address) ?? address;
    const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
    if (isIP(plain) === 0) return false;
    return this.#allowed.check(plain, family) || isPublic(plain, family);
  }

  /** Throws if the host of `url` is an address that is not allowed. `lookup` checks names. */
  requireHost({ hostname }: URL): void {
    const address = hostname.replace(/^\[(.*)\]$/, '$1');
    if (isIP(address) !== 0 && !this.isAllowed(address)) throw this.#refusal(hostname);
  }

  /**
   * Look-up function for `node:http` and `node:https`: the checked addresses are the connected ones, so that a name
   * cannot change its address in between.
   */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    lookUpName(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return callback(error, '', 0);
      if (!found.every(({ address }) => this.isAllowed(address)))
        return callback(this.#refusal(hostname), '', 0);
      if (options.all === true) return callback(null, found);
      callback(null, found[0]!.address, found[0]!.family);
    });
  };

  #refusal(host: string): OperatorError {
    return new OperatorError(
      `${host} is not on the internet. If it is meant to be used, name its address in ${this.#setting}.`,
    );
  }
}

function isPublic(address: string, family: 'ipv4' | 'ipv6'): boolean {
  if (family === 'ipv4') return !specialIpv4.check(address, family);
  return globalIpv6.check(address, family) && !specialIpv6.check(address, family);
}

/** The IPv4 address embedded in an IPv6 address. */
function toIpv4(address: string): string | undefined {
  if (isIP(address) !== 6) return undefined;
  const canonical = new URL(`http://[${address.split('%')[0]}]`).hostname.slice(1, -1);
  const [, dotted, high, low] = IPV4_IN_IPV6.exec(canonical) ?? [];
  if (dotted !== undefined || high === undefined) return dotted;
  const bits = Number.parseInt(high, 16) * 0x1_0000 + Number.parseInt(low!, 16);
  return [24, 16, 8, 0].map((shift) => (bits >>> shift) & 0xff).join('.');
}

function toList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family);
  }
  return list;
}
