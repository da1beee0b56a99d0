import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const PURPOSE = 'larder stored response';

/**
 * Encrypts a response that holds a secret with a key derived from the credential of its request, of which the database has only a hash:
 * whoever reads the database cannot read the response.
 */
export function seal(text: string, credential: string): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(credential, nonce), nonce);
  const sealed = [cipher.update(text, 'utf8'), cipher.final()];
  return Buffer.concat([nonce, ...sealed, cipher.getAuthTag()]).toString('base64');
}

/** Undefined if it was sealed with another credential. */
export function unseal(sealed: string, credential: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const decipher = createDecipheriv(CIPHER, keyOf(credential, nonce), nonce, { authTagLength: TAG_BYTES });
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    const text = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function keyOf(credential: string, salt: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', credential, salt, PURPOSE, KEY_BYTES));
}
