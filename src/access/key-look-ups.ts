import { BusyError } from '@larder/core/errors.ts';
import type { KeyStore, StoredKey } from './key-store.ts';

/** Maximum keys in one query; others wait for the next one. */
const MAX_ASKED = 500;
/** Maximum pending keys of one thread; more are rejected at once. */
const MAX_WAITING = 10_000;

type LookUp = PromiseWithResolvers<StoredKey | undefined>;

/**
 * Looks up keys with one query at a time: ids that arrive meanwhile share the next one. So one connection serves all
 * keys of a thread, and guesses do not delay other callers.
 */
export class KeyLookUps implements Pick<KeyStore, 'find'> {
  readonly #store: Pick<KeyStore, 'findAll'>;
  #waiting = new Map<string, LookUp>();
  #isAsking = false;

  constructor({ store }: { store: Pick<KeyStore, 'findAll'> }) {
    this.#store = store;
  }

  /** Rejects with a `BusyError` if too many look-ups are pending. */
  find(id: string): Promise<StoredKey | undefined> {
    let lookUp = this.#waiting.get(id);
    if (lookUp === undefined) {
      if (this.#waiting.size >= MAX_WAITING)
        return Promise.reject(new BusyError(`${MAX_WAITING} keys wait to be looked up already`));
      lookUp = Promise.withResolvers<StoredKey | undefined>();
      this.#waiting.set(id, lookUp);
    }
    if (!this.#isAsking) void this.#askForAll();
    return lookUp.promise;
  }

  async #askForAll(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.size > 0) await this.#ask(this.#take());
    this.#isAsking = false;
  }

  #take(): Map<string, LookUp> {
    const taken = new Map(this.#waiting.entries().take(MAX_ASKED));
    for (const id of taken.keys()) this.#waiting.delete(id);
    return taken;
  }

  async #ask(lookUps: ReadonlyMap<string, LookUp>): Promise<void> {
    try {
      const found = await this.#store.findAll([...lookUps.keys()]);
      const byId = new Map(found.map((stored) => [stored.key.id, stored]));
      for (const [id, { resolve }] of lookUps) resolve(byId.get(id));
    } catch (error) {
      for (const { reject } of lookUps.values()) reject(error);
    }
  }
}
