import { BusyError } from '@larder/core/errors.ts';

/** Reads of one user that may wait; more are refused. */
const MAX_WAITING = 50;

/** Lets one long read run at a time. The users who wait take turns, so that one with many reads delays another by one. */
export class ReadTurns {
  /** Users in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  #isTaken = false;

  /** Throws a `BusyError` where too many reads of this user wait. */
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

  /** `#isTaken` stays true while a turn is passed on, so that no new read can come between. */
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
