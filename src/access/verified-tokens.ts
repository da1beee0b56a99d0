import { hash } from 'node:crypto';

/** So many tokens are in use on one thread before one is checked again. */
const MAX_REMEMBERED = 20_000;
export const MAX_TOKEN_LENGTH = 4_096;

/** What tokens say whose signatures were checked, by the tokens' hashes: each is checked once for each thread. */
export class VerifiedTokens<Claims> {
  readonly #check: (token: string) => Promise<Claims>;
  readonly #remembered = new Map<string, Claims>();

  constructor({ check }: { check: (token: string) => Promise<Claims> }) {
    this.#check = check;
  }

  async claimsOf(token: string): Promise<Claims> {
    const name = hash('sha256', token, 'base64');
    const known = this.#remembered.get(name);
    if (known !== undefined) return known;
    const claims = await this.#check(token);
    this.#remembered.set(name, claims);
    if (this.#remembered.size > MAX_REMEMBERED)
      this.#remembered.delete(this.#remembered.keys().next().value!);
    return claims;
  }
}
