import { readFileSync } from 'node:fs';
import { OperatorError } from '@larder/core/errors.ts';
import type { Config } from '../../config/config.ts';

export interface TlsFiles {
  readonly cert: Buffer;
  readonly key: Buffer;
}

/** Undefined without TLS. Throws an `OperatorError` that names the setting for unusable files. */
export function readTlsFiles({ tls }: Config): TlsFiles | undefined {
  if (tls === undefined) return undefined;
  const files = { cert: read('LARDER_TLS_CERT', tls.cert), key: read('LARDER_TLS_KEY', tls.key) };
  try {
    // Not imported, because each thread would load it.
    process.getBuiltinModule('node:tls').createSecureContext(files);
  } catch (cause) {
    throw new OperatorError(
      `LARDER_TLS_CERT and LARDER_TLS_KEY are no certificate with its key in PEM (${(cause as Error).message}).`,
      { cause },
    );
  }
  return files;
}

/** When the certificate ends; undefined without TLS, and for a file that cannot be read. */
export function certificateEndsAtMs({ tls }: Pick<Config, 'tls'>): number | undefined {
  if (tls === undefined) return undefined;
  try {
    const { X509Certificate } = process.getBuiltinModule('node:crypto');
    return Date.parse(new X509Certificate(readFileSync(tls.cert)).validTo);
  } catch {
    return undefined;
  }
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    throw new OperatorError(`${setting} cannot be read: ${(cause as Error).message}.`, { cause });
  }
}
