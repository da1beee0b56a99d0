import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ScanId } from '../scan-job.ts';

/**
 * Lets a browser's EventSource, which cannot send a credential, watch one scan and nothing else. A ticket reveals nothing
 * to its holder, and is worthless when the scan is gone.
 */
export class StreamTickets {
  readonly #secret: Uint8Array;

  constructor({ secret }: { secret: Uint8Array }) {
    this.#secret = secret;
  }

  issue(id: ScanId): string {
    return createHmac('sha256', this.#secret).update(`stream of scan ${id}`).digest('base64url');
  }

  isGood(id: ScanId, ticket: string): boolean {
    // Compared as text, since several texts decode to the same bytes.
    const expected = Buffer.from(this.issue(id));
    const given = Buffer.from(ticket);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }
}
