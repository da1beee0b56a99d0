import { isIPv6 } from 'node:net';

const GROUPS = 8;
const NETWORK_GROUPS = 4;

/** Some load balancers forward an address with the port. */
const WITH_PORT = /^(?:\[(.+)\]|([\d.]+)):\d+$/;

/**
 * The unit by which client addresses are counted. An IPv6 address counts as its /64 network, because a
 * subscriber has a whole one. IPv4 addresses count individually, in any notation.
 */
export function clientNetwork(client: string): string {
  const [, bracketed, dotted] = WITH_PORT.exec(client) ?? [];
  const address = bracketed ?? dotted ?? client;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped !== null) return mapped[1]!;
  if (!isIPv6(address)) return address;
  const [head, tail] = address.split('%')[0]!.split('::');
  const first = toGroups(head!);
  const last = tail === undefined ? [] : toGroups(tail);
  const zeros = Array<number>(Math.max(0, GROUPS - first.length - last.length)).fill(0);
  return [...first, ...zeros, ...last]
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.toString(16))
    .join(':');
}

function toGroups(text: string): number[] {
  return text === ''
    ? []
    : text.split(':').flatMap((group) => (group.includes('.') ? [0, 0] : [Number.parseInt(group, 16)]));
}
