import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Attack } from '../attack.ts';

const CONNECTIONS = 5_000;
const HOLD_MS = 4_000;
/** So that the queue of connections that wait to be taken is no bottleneck of the attack. */
const AT_ONCE = 100;
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
    }
    await pause(HOLD_MS);
    const held = opened.filter((socket) => !socket.destroyed).length;
    for (const socket of opened) socket.destroy();
    return { sent: `${held} idle connections`, breaches: [] };
  },
};
