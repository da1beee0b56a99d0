import type { FastifyRequest } from 'fastify';

/**
 * The origin under which the client knows this service: as configured, else from the request. The headers of a load
 * balancer count where it is a trusted proxy.
 */
export function publicOrigin(request: FastifyRequest, configured: string | undefined): string {
  return configured ?? `${request.protocol}://${request.host}`;
}

/** Completes addresses of this service, which begin with a slash; those of another object store are absolute already. */
export function toPublicAddress(address: string, origin: string): string {
  return address.startsWith('/') ? origin + address : address;
}
