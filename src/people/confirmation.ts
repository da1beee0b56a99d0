import { AppError } from '@larder/core/errors.ts';
import type { Caller } from '../access/api-key.ts';
import type { FoundSession } from './people-store.ts';
import type { Person } from './person.ts';
import type { Sessions } from './sessions.ts';

/** One way in which a signed-in person proves again who they are. */
export interface ProofMethod {
  readonly name: 'password' | 'openid' | 'passkey';
  /** Whether this person can do so. */
  isOpenTo(person: Person): Promise<boolean>;
}

export interface ConfirmationOptions {
  readonly sessions: Sessions;
  readonly methods: readonly ProofMethod[];
  /** How long a proof counts. */
  readonly maxAgeMs: number;
  readonly nowMs: () => number;
}

/**
 * Asks for a recent proof before a session creates credentials or does what cannot be undone, so that a stolen or forgotten session does
 * not become access for good. A sign-in counts.
 */
export class Confirmation {
  readonly #options: ConfirmationOptions;

  constructor(options: ConfirmationOptions) {
    this.#options = options;
  }

  get maxAgeSeconds(): number {
    return this.#options.maxAgeMs / 1000;
  }

  isRecent({ session: { provedAtMs } }: Pick<FoundSession, 'session'>): boolean {
    return this.#options.nowMs() - provedAtMs < this.#options.maxAgeMs;
  }

  /** Returns how this person can prove who they are. */
  async methodsOf(person: Person): Promise<readonly ProofMethod['name'][]> {
    const { methods } = this.#options;
    const isOpen = await Promise.all(methods.map((method) => method.isOpenTo(person)));
    return methods.filter((_, at) => isOpen[at]).map(({ name }) => name);
  }

  /** Rejects with `confirmation_required`. Keys and tokens have no person who could prove anything: their scopes decide. */
  async require({ session }: Pick<Caller, 'session'>): Promise<void> {
    const found = session === undefined ? undefined : await this.#options.sessions.get(session);
    if (found !== undefined) await this.requireRecent(found);
  }

  /** Rejects with `confirmation_required` for a session without a recent proof. */
  async requireRecent(found: FoundSession): Promise<void> {
    if (this.isRecent(found)) return;
    throw new AppError({
      code: 'confirmation_required',
      message:
        'Confirm that it is you: send the password to POST /v1/session/confirm, or sign in again; then repeat this.',
      details: {
        methods: await this.methodsOf(found.person),
        maxAgeSeconds: this.maxAgeSeconds,
      },
    });
  }
}
