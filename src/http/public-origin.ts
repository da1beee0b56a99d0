import type { FastifyRequest } from 'fastify';

/**
 * The address under which the client knows this service, without a path: as configured, else as the client asked for
 * it. A load balancer is believed where it is trusted.
 */
export function publicOrigin(request: FastifyRequest, configured: string | undefined): string {
  return configured ?? `${request.protocol}://${request.host}`;
}

/** Addresses of our own begin with a slash; those of another object store are whole already. */
export function toPublicAddress(address: string, origin: string): string {
  return address.startsWith('/') ? origin + address : address;
}
