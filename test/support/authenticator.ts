import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const USER_PRESENT = 0x01;
const USER_VERIFIED = 0x04;
const HAS_CREDENTIAL = 0x40;

interface Options {
  readonly challenge: string;
}

/** What is other than an honest browser would have it. */
export interface Forged {
  readonly origin?: string;
  readonly rpId?: string;
  readonly flags?: number;
  readonly counter?: number;
}

/** An authenticator with one key (ES256, without attestation), together with the browser before it. */
export function openAuthenticator(home: { readonly origin: string; readonly rpId: string }) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const clientData = (type: string, { challenge }: Options, { origin = home.origin }: Forged) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const head = ({ rpId = home.rpId, counter = 0 }: Forged, flags: number) => {
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
  };
  const answer = (response: Record<string, Buffer>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response: Object.fromEntries(
      Object.entries(response).map(([name, bytes]) => [name, bytes.toString('base64url')]),
    ),
  });
  return {
    create(options: Options, forged: Forged = {}) {
      const { x, y } = publicKey.export({ format: 'jwk' });
      const key = cborMap([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(id.length);
      const flags = forged.flags ?? USER_PRESENT | USER_VERIFIED;
      const authData = Buffer.concat([
        head(forged, flags | HAS_CREDENTIAL),
        Buffer.alloc(16),
        length,
        id,
        key,
      ]);
      const attestationObject = cborMap([
        ['fmt', 'none'],
        ['attStmt', cborMap([])],
        ['authData', authData],
      ]);
      return answer({ clientDataJSON: clientData('webauthn.create', options, forged), attestationObject });
    },
    get(options: Options, forged: Forged = {}) {
      const authenticatorData = head(forged, forged.flags ?? USER_PRESENT | USER_VERIFIED);
      const clientDataJSON = clientData('webauthn.get', options, forged);
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)]);
      return answer({ authenticatorData, clientDataJSON, signature: sign('sha256', signed, privateKey) });
    },
  };
}

function sha256(text: string | Buffer): Buffer {
  return createHash('sha256').update(text).digest();
}

class Encoded extends Buffer {}

/** Maps, texts, bytes and small numbers of CBOR (RFC 8949). */
function cborMap(entries: readonly (readonly [number | string, number | string | Buffer])[]): Encoded {
  const parts = entries.flatMap(([key, value]) => [
    cbor(key),
    value instanceof Encoded ? value : cbor(value),
  ]);
  return Object.setPrototypeOf(Buffer.concat([head5(5, entries.length), ...parts]), Encoded.prototype);
}

function cbor(value: number | string | Buffer): Buffer {
  if (typeof value === 'number') return value < 0 ? head5(1, -1 - value) : head5(0, value);
  const bytes = Buffer.from(value as string);
  return Buffer.concat([head5(typeof value === 'string' ? 3 : 2, bytes.length), bytes]);
}

function head5(type: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(type << 5) | length]);
  return length < 256
    ? Buffer.from([(type << 5) | 24, length])
    : Buffer.from([(type << 5) | 25, length >> 8, length & 255]);
}
