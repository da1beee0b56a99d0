import type { FastifyInstance } from 'fastify';

/** How often connections that have become idle are looked for. */
const SWEEP_INTERVAL_MS = 50;

/**
 * Stops listening, lets requests under way finish, and closes each connection when it is idle; after the time-out
 * all that are left.
 */
export async function closeGracefully(server: FastifyInstance, timeoutMs: number): Promise<void> {
  const sweep = setInterval(() => server.server.closeIdleConnections(), SWEEP_INTERVAL_MS);
  const giveUp = setTimeout(() => server.server.closeAllConnections(), timeoutMs);
  try {
    await server.close();
  } finally {
    clearInterval(sweep);
    clearTimeout(giveUp);
  }
}
