import { setTimeout as wait } from 'node:timers/promises';
import { CheckFailure } from '../check-failure.ts';
import type { Session } from '../session.ts';

/** Every node of a cluster knows of a write within a second. */
const TRIES = 10;
const BETWEEN_MS = 100;

/** Retries until it does not fail, for one second times the session's patience; then throws the last failure. */
export async function withinASecond(session: Session, attempt: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof CheckFailure) || tries >= TRIES * session.patience || session.signal.aborted)
        throw error;
      await wait(BETWEEN_MS);
    }
  }
}
