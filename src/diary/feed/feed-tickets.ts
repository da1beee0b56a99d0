import { createHmac } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { areEqualSecrets } from '../../base/equal-secrets.ts';
import type { DiaryOwner } from '../records/entry.ts';

/** As long as a token; a stream that is open goes on while its credential lives. */
export const TICKET_LIFETIME_MS = 15 * 60_000;

/** The rights of whoever holds a ticket. */
export interface FeedGrant extends DiaryOwner {
  readonly hasFoods: boolean;
  /** Text of `credentialOf`; undefined for a credential that this service cannot end. */
  readonly credential?: string | undefined;
}

const grantSchema = z.object({
  tenant: z.string(),
  userId: z.string(),
  hasFoods: z.boolean(),
  credential: z.string().optional(),
  expiresAtMs: z.number(),
});

export interface FeedTicketsOptions {
  readonly secret: Uint8Array;
  readonly isLive: (credential: string | undefined, nowMs: number) => Promise<boolean>;
  readonly nowMs: () => number;
}

/**
 * Lets a browser's EventSource, which cannot send a credential, follow the changes of one user and nothing else. The ticket itself
 * states for whom it is; it ends after a time, and with the credential that asked for it.
 */
export class FeedTickets {
  readonly #options: FeedTicketsOptions;

  constructor(options: FeedTicketsOptions) {
    this.#options = options;
  }

  issue(grant: FeedGrant): { readonly ticket: string; readonly expiresAtMs: number } {
    const expiresAtMs = this.#options.nowMs() + TICKET_LIFETIME_MS;
    const text = Buffer.from(JSON.stringify({ ...grant, expiresAtMs })).toString('base64url');
    return { ticket: `${text}.${this.#sign(text)}`, expiresAtMs };
  }

  /** Throws `ticket_not_found` for a ticket that is forged, of another user, or has ended. */
  async open(ticket: string, userId: string): Promise<FeedGrant> {
    const [text = '', signature = ''] = ticket.split('.', 2);
    if (ticket !== `${text}.${signature}` || !areEqualSecrets(signature, this.#sign(text)))
      throw noSuchTicket();
    const { expiresAtMs, ...grant } = grantSchema.parse(
      JSON.parse(Buffer.from(text, 'base64url').toString()),
    );
    if (grant.userId !== userId || expiresAtMs <= this.#options.nowMs()) throw noSuchTicket();
    await this.requireLive(grant);
    return grant;
  }

  /** Throws `ticket_not_found` after the credential that asked for the ticket has ended. */
  async requireLive({ credential }: FeedGrant): Promise<void> {
    const { isLive, nowMs } = this.#options;
    if (!(await isLive(credential, nowMs()))) throw noSuchTicket();
  }

  #sign(text: string): string {
    return createHmac('sha256', this.#options.secret).update(text).digest('base64url');
  }
}

function noSuchTicket(): AppError {
  return new AppError({ code: 'ticket_not_found', message: 'This ticket has ended; ask for a new one.' });
}
