import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { BusyError } from '@larder/core/errors.ts';
import { pause } from '../base/pause.ts';

/** 19 MiB and 2 passes, as OWASP recommends for argon2id with one lane. */
const COST = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 };
const SALT_BYTES = 16;
/** Maximum passwords of each kind of asker that wait in a thread while one is hashed; each takes 25 to 80 ms. */
const MAX_WAITING = 16;
const PREFIX = `$argon2id$v=19$m=${COST.memory},t=${COST.passes},p=${COST.parallelism}$`;

const derive = promisify<'argon2id', Argon2Parameters, Buffer>(argon2);

/**
 * Who asks, in the order in which they are served: people who have shown a session, a link or the mark of a known browser, then
 * strangers. A flood by strangers makes nobody else wait for longer than one password.
 */
export type Asker = 'known' | 'stranger';

/** Hashes passwords one after the other, with a pause as long as each took: a flood of them leaves processor time to other requests. */
export class Passwords {
  readonly #waiting: Readonly<Record<Asker, (() => void)[]>> = { known: [], stranger: [] };
  #isBusy = false;

  /** Returns the hash as a PHC string. Rejects with a `BusyError` where too many wait. */
  async hash(password: string, asker: Asker): Promise<string> {
    const nonce = randomBytes(SALT_BYTES);
    return `${PREFIX}${encoded(nonce)}$${encoded(await this.#derive(password, nonce, asker))}`;
  }

  /** Takes the same time without a stored hash, and is then false. Rejects like `hash`. */
  async matches(password: string, stored: string | undefined, asker: Asker): Promise<boolean> {
    const [salt, tag] = stored?.slice(PREFIX.length).split('$') ?? [];
    const nonce = salt === undefined ? Buffer.alloc(SALT_BYTES) : Buffer.from(salt, 'base64');
    const expected = tag === undefined ? Buffer.alloc(COST.tagLength) : Buffer.from(tag, 'base64');
    const isEqual = timingSafeEqual(await this.#derive(password, nonce, asker), expected);
    return isEqual && stored !== undefined;
  }

  async #derive(password: string, nonce: Buffer, asker: Asker): Promise<Buffer> {
    await this.#turn(asker);
    const startedAt = performance.now();
    try {
      return await derive('argon2id', { ...COST, message: password.normalize('NFKC'), nonce });
    } finally {
      // Nobody waits for the pause but the next one.
      void pause(performance.now() - startedAt, { ref: false }).then(() => this.#next());
    }
  }

  async #turn(asker: Asker): Promise<void> {
    if (this.#isBusy) {
      const waiting = this.#waiting[asker];
      if (waiting.length >= MAX_WAITING) throw new BusyError(`${MAX_WAITING} passwords wait to be checked`);
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    this.#isBusy = true;
  }

  #next(): void {
    const next = this.#waiting.known.shift() ?? this.#waiting.stranger.shift();
    if (next === undefined) this.#isBusy = false;
    else next();
  }
}

/** Base 64 without padding, as PHC strings have it. */
function encoded(bytes: Buffer): string {
  return bytes.toString('base64').replaceAll('=', '');
}
