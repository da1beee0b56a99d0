import { OperatorError } from '@larder/core/errors.ts';
import type { ApiKey } from '../../access/api-key.ts';
import { keyIdIn } from '../../access/key-format.ts';
import type { IssuedKey, KeyIssuer } from '../../access/key-issuer.ts';
import type { KeyStore } from '../../access/key-store.ts';
import { TenantDirectory } from '../../access/tenant-directory.ts';
import { requireDataFolder } from '../../app/data-folder.ts';
import { createKeyIssuer, openKeyStore } from '../../app/keys.ts';
import { openDatabase } from '../../app/open-backend.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { print, type Terminal, tell } from '../terminal/terminal.ts';

interface KeySession {
  readonly store: KeyStore;
  readonly issuer: KeyIssuer;
  readonly tenants: TenantDirectory;
  readonly keysPerTenant: number;
}

/** Opens the keys of the configured data folder or cluster for one command; a service may be running on it. */
export async function withKeys(
  terminal: Terminal,
  use: (session: KeySession) => Promise<void>,
): Promise<void> {
  const { config } = commandConfig(terminal);
  // In a cluster, keys are in PostgreSQL and need no data folder.
  if (config.mode === 'embedded') requireDataFolder(config);
  const database = await openDatabase(config);
  try {
    const store = openKeyStore(database);
    await use({
      store,
      tenants: new TenantDirectory(database),
      issuer: createKeyIssuer(store, database.nowMs),
      keysPerTenant: config.keysPerTenant,
    });
  } finally {
    await database.close();
  }
}

export function noSuchKey(id: string): OperatorError {
  const idInText = keyIdIn(id);
  return new OperatorError(
    idInText === undefined
      ? `There is no key ${JSON.stringify(id)}; "larder key list" shows them all.`
      : `Name a key by its id, not by its text. The id of this text is ${idInText}.`,
  );
}

/** A key as JSON: times in ISO 8601, absent fields left out. */
export function toJson({
  createdAt,
  expiresAt,
  revokedAt,
  lastUsedAt,
  ...key
}: ApiKey): Record<string, unknown> {
  return {
    ...key,
    createdAt: toIso(createdAt),
    ...(expiresAt !== undefined && { expiresAt: toIso(expiresAt) }),
    ...(revokedAt !== undefined && { revokedAt: toIso(revokedAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: toIso(lastUsedAt) }),
  };
}

/** The only output of a key's text. */
export function printIssued(terminal: Terminal, { key, text }: IssuedKey, asJson: boolean): void {
  if (asJson) {
    const { id, ...rest } = toJson(key);
    print(terminal, `${JSON.stringify({ id, key: text, ...rest })}\n`);
    return;
  }
  tell(terminal, `Key ${key.id} for tenant ${key.tenant}. It is shown this once; keep it now:\n`);
  print(terminal, `${text}\n`);
}

export function toIso(seconds: number): string {
  return new Date(seconds * 1000).toISOString();
}
