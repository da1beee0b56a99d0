import { createHmac } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { areEqualSecrets } from '../base/equal-secrets.ts';
import { isObjectKey, type ObjectKey, type ReadGrant, type UploadGrant } from './object-store.ts';

/** The path of the signed URLs that this service serves itself. */
export const OBJECTS_PATH = '/objects';

/** The parameters of a query as sent by a client. */
export type UrlQuery = Readonly<Record<string, unknown>>;

/**
 * Signs and parses URLs of this service:
 *
 *     /objects/KEY?expires=SECONDS&type=image%2Fjpeg&max=BYTES[&length=BYTES]&signature=…    PUT
 *     /objects/KEY?expires=SECONDS&signature=…                                               GET
 *
 * The signature is HMAC-SHA256 over method, key and all parameters.
 */
export class UrlSigner {
  readonly #secret: Buffer;

  constructor({ secret }: { secret: Buffer }) {
    this.#secret = secret;
  }

  toUploadAddress(grant: UploadGrant): string {
    return this.#toAddress('PUT', grant.key, uploadParameters(grant));
  }

  toReadAddress(grant: ReadGrant): string {
    return this.#toAddress('GET', grant.key, readParameters(grant));
  }

  /** Returns the grant of the URL. Throws `forbidden` if this service did not sign it, or it has expired. */
  parseUpload(key: string, query: UrlQuery, nowMs: number): UploadGrant {
    const exactBytes = query['length'] === undefined ? {} : { exactBytes: Number(query['length']) };
    const grant = {
      key: knownKey(key),
      contentType: String(query['type']),
      size: { maxBytes: Number(query['max']), ...exactBytes },
      expiresAtMs: Number(query['expires']) * 1000,
    };
    this.#check('PUT', grant, uploadParameters(grant), query, nowMs);
    return grant;
  }

  /** Parses the URL of a read, like `parseUpload`. */
  parseRead(key: string, query: UrlQuery, nowMs: number): ReadGrant {
    const grant = { key: knownKey(key), expiresAtMs: Number(query['expires']) * 1000 };
    this.#check('GET', grant, readParameters(grant), query, nowMs);
    return grant;
  }

  #toAddress(method: string, key: ObjectKey, parameters: URLSearchParams): string {
    return `${OBJECTS_PATH}/${key}?${parameters}&signature=${this.#sign(method, key, parameters)}`;
  }

  #check(
    method: string,
    grant: ReadGrant,
    parameters: URLSearchParams,
    query: UrlQuery,
    nowMs: number,
  ): void {
    // Compares texts, since a changed text may decode to the same bytes or number.
    for (const [name, value] of parameters) if (query[name] !== value) throw notSigned();
    if (!areEqualSecrets(String(query['signature']), this.#sign(method, grant.key, parameters)))
      throw notSigned();
    if (nowMs >= grant.expiresAtMs) {
      const expiredAt = new Date(grant.expiresAtMs).toISOString();
      throw new AppError({
        code: 'forbidden',
        message: 'The address has expired; ask for a new one.',
        details: { expiredAt },
      });
    }
  }

  #sign(method: string, key: ObjectKey, parameters: URLSearchParams): string {
    return createHmac('sha256', this.#secret).update(`${method}\n${key}\n${parameters}`).digest('base64url');
  }
}

function uploadParameters({ contentType, size, expiresAtMs }: UploadGrant): URLSearchParams {
  const { maxBytes, exactBytes } = size;
  return new URLSearchParams({
    expires: toSeconds(expiresAtMs),
    type: contentType,
    max: String(maxBytes),
    ...(exactBytes !== undefined && { length: String(exactBytes) }),
  });
}

function readParameters({ expiresAtMs }: ReadGrant): URLSearchParams {
  return new URLSearchParams({ expires: toSeconds(expiresAtMs) });
}

function toSeconds(unixMs: number): string {
  return String(Math.floor(unixMs / 1000));
}

function knownKey(text: string): ObjectKey {
  if (!isObjectKey(text)) throw notSigned();
  return text;
}

function notSigned(): AppError {
  return new AppError({
    code: 'forbidden',
    message: 'The address is not valid; use it exactly as it was given.',
  });
}
