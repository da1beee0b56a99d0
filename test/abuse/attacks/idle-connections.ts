import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '../attack.ts';

const CONNECTIONS = 5_000;
const HOLD_MS = 4_000;
/** Opened over some seconds: what is tried is holding them, not the work of opening. */
const AT_ONCE = 50;
const PAUSE_MS = 40;
const CONNECT_TIMEOUT_MS = 20_000;

/** Opens connections and says nothing. */
export const idleConnections: Attack = {
  name: 'idle connections',
  async run({ client }) {
    const opened = [];
    while (opened.length < CONNECTIONS) {
      const some = Array.from({ length: AT_ONCE }, () => client.connect());
      const signal = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
      await Promise.all(some.map((socket) => once(socket, 'connect', { signal }).catch(() => {})));
      opened.push(...some);
      await pause(PAUSE_MS);
    }
    await pause(HOLD_MS);
    const held = opened.filter((socket) => !socket.destroyed).length;
    for (const socket of opened) socket.destroy();
    return { sent: `${held} idle connections`, breaches: [] };
  },
};
