/** Completes addresses of this service, which begin with a slash; those of another object store are absolute already. */
export function toPublicAddress(address: string, origin: string): string {
  return address.startsWith('/') ? origin + address : address;
}
