import type { IncomingMessage } from 'node:http';
import { BlockList, isIP, isIPv6, type Socket } from 'node:net';
import { parseBasePath } from '../../../base/base-path.ts';

/** How many proxies may stand before each other; addresses further left in X-Forwarded-For are not looked at. */
const MAX_PROXIES = 10;

export interface ClientAddressesOptions {
  /** Addresses and networks of proxies whose X-Forwarded headers are believed. */
  readonly trustedProxies: readonly string[];
  /** Configured address of this service, with its base path; by default each request names it. */
  readonly publicUrl: string | undefined;
}

const PROTOCOL = /^https?$/i;
/** A name or an address with an optional port, as in `Host` (RFC 9110, 7.2). */
const HOST = /^(?:[\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i;

/** Says where a request comes from, and under which address its client knows this service. */
export class ClientAddresses {
  readonly #trusted = new BlockList();
  readonly #origin: string | undefined;
  readonly #basePath: string | undefined;

  constructor({ trustedProxies, publicUrl }: ClientAddressesOptions) {
    const url = publicUrl === undefined ? undefined : new URL(publicUrl);
    this.#origin = url?.origin;
    this.#basePath = url?.pathname.replace(/\/$/, '');
    for (const network of trustedProxies) {
      const [address, bits] = network.split('/') as [string, string?];
      if (bits === undefined) this.#trusted.addAddress(address, familyOf(address));
      else this.#trusted.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /** The address before the last trusted proxy; without a trusted proxy the one of the connection. */
  addressOf({
    socket,
    headers,
  }: Pick<IncomingMessage, 'headers'> & { socket: Pick<Socket, 'remoteAddress'> }): string {
    let address = socket.remoteAddress ?? '';
    if (!this.#isTrusted(address)) return address;
    const forwarded = String(headers['x-forwarded-for'] ?? '').match(/[^\s,][^,]*/g) ?? [];
    for (let proxies = 0; proxies < MAX_PROXIES && this.#isTrusted(address); proxies++) {
      address = forwarded.pop()?.trimEnd() ?? address;
    }
    return address;
  }

  /** Returns the path before all paths of this service, such as `/larder`; '' at the root. */
  basePathOf({
    socket,
    headers,
  }: Pick<IncomingMessage, 'headers'> & { socket: Pick<Socket, 'remoteAddress'> }): string {
    if (this.#basePath !== undefined) return this.#basePath;
    const prefix = headers['x-forwarded-prefix'];
    if (prefix === undefined || !this.#isTrusted(socket.remoteAddress ?? '')) return '';
    return parseBasePath(lastOf(prefix)!) ?? '';
  }

  /** Whether the address is configured. */
  get isNamed(): boolean {
    return this.#origin !== undefined;
  }

  /** Returns the address without a path, such as `https://larder.example`. */
  originOf({ socket, headers }: IncomingMessage): string {
    if (this.#origin !== undefined) return this.#origin;
    const isForwarded = this.#isTrusted(socket.remoteAddress ?? '');
    const own = isEncrypted(socket) ? 'https' : 'http';
    // A proxy that forwards something else says nothing.
    const told = (name: string, form: RegExp) => {
      const value = isForwarded ? lastOf(headers[name]) : undefined;
      return value !== undefined && form.test(value) ? value : undefined;
    };
    const protocol = told('x-forwarded-proto', PROTOCOL)?.toLowerCase() ?? own;
    const host = told('x-forwarded-host', HOST) ?? (headers.host || localAddress(socket));
    return `${protocol}://${host}`;
  }

  #isTrusted(address: string): boolean {
    return isIP(address) !== 0 && this.#trusted.check(address, familyOf(address));
  }
}

function isEncrypted(socket: Socket & { encrypted?: boolean }): boolean {
  return socket.encrypted === true;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

function lastOf(header: string | string[] | undefined): string | undefined {
  return header === undefined ? undefined : String(header).split(',').at(-1)!.trim();
}

/** Returns the local address of a connection, for requests of HTTP/1.0, which need not name a host. */
function localAddress({ localAddress: address = '', localPort }: Socket): string {
  return `${isIPv6(address) ? `[${address}]` : address}:${localPort}`;
}
