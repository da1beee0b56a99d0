import { createCipheriv, createDecipheriv, hash, hkdfSync, randomBytes } from 'node:crypto';

/** `s1.` id of the key `.` base64url of nonce, tag and text. Texts of other forms were stored before secrets were sealed. */
const SEALED = /^s1\.([0-9a-f]{8})\.([\w-]+)$/;
const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Counts of stored secrets: sealed by the current key, and those that no key opens. */
export interface Sealed {
  readonly sealed: number;
  readonly lost: number;
}

/**
 * Seals secrets that a database stores, by a key that is not in the database: whoever has a copy of it, such as a backup, has no
 * secret. AES-256-GCM; each text is bound to the row that it belongs to.
 */
export class SealedSecrets {
  /** The first key seals, all open. */
  readonly #keys: readonly { readonly id: string; readonly key: Buffer }[];

  /** At least one secret, of at least 16 characters each, the current one first. */
  constructor(secrets: readonly string[]) {
    this.#keys = secrets.map((secret) => {
      const key = Buffer.from(hkdfSync('sha256', secret, '', 'secrets in the database', KEY_BYTES));
      return { key, id: hash('sha256', key).slice(0, 8) };
    });
  }

  /** For databases that end with the process. */
  static random(): SealedSecrets {
    return new SealedSecrets([randomBytes(KEY_BYTES).toString('hex')]);
  }

  /** `row` names the row and its column, such as `webhooks 01J… secret`. */
  seal(text: string, row: string): string {
    const { id, key } = this.#keys[0]!;
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(row));
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return `s1.${id}.${Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url')}`;
  }

  /** Undefined if no key opens the text, or if it was moved from another row. */
  open(stored: string, row: string): string | undefined {
    const [, id, text] = SEALED.exec(stored) ?? [];
    if (text === undefined) return stored;
    const key = this.#keys.find((one) => one.id === id)?.key;
    if (key === undefined) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    const [nonce, tag] = [
      bytes.subarray(0, NONCE_BYTES),
      bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES),
    ];
    try {
      const decipher = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(row)).setAuthTag(tag);
      return (
        decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    } catch {
      return undefined;
    }
  }

  /** Whether the text is sealed by the current key. */
  isCurrent(stored: string): boolean {
    return SEALED.exec(stored)?.[1] === this.#keys[0]!.id;
  }
}
