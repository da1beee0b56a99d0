import { BusyError } from '@larder/core/errors.ts';

/** Maximum waiting reads of one user; more are rejected. */
const MAX_WAITING = 50;

/**
 * Allows one long read at a time. Waiting users take turns, so that many reads of one user delay another user
 * by one read.
 */
export class ReadTurns {
  /** Users in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isTaken = false;

  /** Throws a `BusyError` if too many reads of this user wait. */
  async run<T>(user: string, read: () => Promise<T>): Promise<T> {
    if (this.#isTaken) await this.#turnOf(user);
    this.#isTaken = true;
    try {
      return await read();
    } finally {
      this.#passOn();
    }
  }

  #turnOf(user: string): Promise<void> {
    const queue = this.#waiting.get(user) ?? [];
    if (queue.length >= MAX_WAITING)
      throw new BusyError(`${MAX_WAITING} long reads of one user wait already`);
    this.#waiting.set(user, queue);
    return new Promise((resolve) => queue.push(resolve));
  }

  /** `#isTaken` remains true while a turn is handed over, so that no new read can start in between. */
  #passOn(): void {
    const [next] = this.#waiting;
    this.#isTaken = next !== undefined;
    if (next === undefined) return;
    const [user, queue] = next;
    this.#waiting.delete(user);
    queue.shift()!();
    if (queue.length > 0) this.#waiting.set(user, queue);
  }
}
