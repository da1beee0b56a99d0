import type { Server } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { OperatorError } from '@larder/core/errors.ts';

/** How often connections that have become idle are looked for. */
const SWEEP_INTERVAL_MS = 50;

/** Answers the port. `reusePort`: other servers of this service listen at the same one. */
export async function listen(
  server: Server,
  options: { readonly host: string; readonly port: number; readonly reusePort?: boolean },
): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}

/**
 * Stops listening, lets requests under way finish, and closes each connection when it is idle; after the time-out
 * all that are left.
 */
export async function closeGracefully(server: Server, timeoutMs: number): Promise<void> {
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
  const giveUp = setTimeout(() => server.closeAllConnections(), timeoutMs);
  // The error of `listen` says that the server did not listen.
  await new Promise<unknown>((resolve) => server.close(resolve));
  clearInterval(sweep);
  clearTimeout(giveUp);
}

/**
 * Throws an `OperatorError` where this address cannot be listened at. API threads share their port (SO_REUSEPORT), and a
 * second service would silently share it too. So the port is first opened exclusively, which fails if anybody has it.
 * `setting` is the setting that the port came from.
 */
export async function assertPortFree(host: string, port: number, setting = 'LARDER_PORT'): Promise<void> {
  const probe = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      probe.once('error', reject);
      probe.listen({ host, port, exclusive: true }, resolve);
    });
  } catch (cause) {
    throw new OperatorError(explain(cause as NodeJS.ErrnoException, { host, port, setting }), { cause });
  } finally {
    await new Promise((resolve) => probe.close(resolve));
  }
}

function explain(
  { code, message }: NodeJS.ErrnoException,
  { host, port, setting }: { host: string; port: number; setting: string },
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use. Stop what listens there, or set ${setting} to another port.`;
    case 'EACCES':
      return `Port ${port} may not be opened by this user. Set ${setting} to a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine. Set LARDER_HOST to one, for example 127.0.0.1.`;
    default:
      return `Cannot listen on ${host}, port ${port}: ${message}. See LARDER_HOST and ${setting}.`;
  }
}
