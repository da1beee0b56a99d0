import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** How long a person may take to answer a challenge. */
export const CHALLENGE_MS = 5 * 60_000;
const NONCE_BYTES = 16;
const TIME_BYTES = 6;
const SIGNED_BYTES = NONCE_BYTES + TIME_BYTES;

/**
 * Makes challenges that authenticators sign, and knows its own without keeping any: nonce, time, and the HMAC of both and the purpose.
 * Whoever accepts an answer keeps the time of its challenge, so that it counts once.
 */
export class Challenges {
  readonly #secret: Uint8Array;
  readonly #nowMs: () => number;

  constructor({ secret, nowMs }: { readonly secret: Uint8Array; readonly nowMs: () => number }) {
    this.#secret = secret;
    this.#nowMs = nowMs;
  }

  issue(purpose: string): Uint8Array<ArrayBuffer> {
    const signed = Buffer.alloc(SIGNED_BYTES);
    randomBytes(NONCE_BYTES).copy(signed);
    signed.writeUIntBE(Math.floor(this.#nowMs()), NONCE_BYTES, TIME_BYTES);
    return new Uint8Array(Buffer.concat([signed, this.#mac(signed, purpose)]));
  }

  /** Returns when the challenge was issued; undefined for one that was not, for another purpose, or too long ago. */
  issuedAt(challenge: string, purpose: string): number | undefined {
    const bytes = Buffer.from(challenge, 'base64url');
    const [signed, mac] = [bytes.subarray(0, SIGNED_BYTES), bytes.subarray(SIGNED_BYTES)];
    const expected = this.#mac(signed, purpose);
    if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) return undefined;
    const issuedMs = signed.readUIntBE(NONCE_BYTES, TIME_BYTES);
    const age = this.#nowMs() - issuedMs;
    return age >= 0 && age <= CHALLENGE_MS ? issuedMs : undefined;
  }

  #mac(signed: Uint8Array, purpose: string): Buffer {
    return createHmac('sha256', this.#secret).update(`${purpose}\n`).update(signed).digest();
  }
}
