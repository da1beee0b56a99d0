import { isIPv6, type Socket } from 'node:net';
import type { FastifyRequest } from 'fastify';

/**
 * The origin under which the client knows this service: as configured, else from the request. The headers of a load
 * balancer count where it is a trusted proxy.
 */
export function publicOrigin(request: FastifyRequest, configured: string | undefined): string {
  return configured ?? `${request.protocol}://${request.host || localAddress(request.socket)}`;
}

/** Where a request came in, for one of HTTP/1.0, which need not say whom it asks. */
function localAddress({ localAddress: address = '', localPort }: Socket): string {
  return `${isIPv6(address) ? `[${address}]` : address}:${localPort}`;
}
