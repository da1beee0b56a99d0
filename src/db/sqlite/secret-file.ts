import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { ensurePrivateFile } from '../../files/private-file.ts';
import { SealedSecrets } from '../sealed-secrets.ts';

const SECRET_BYTES = 32;
const FORM = /^[0-9a-f]{64}$/;

/** `LARDER_SECRET` and `LARDER_SECRET_PREVIOUS`. */
export interface GivenSecrets {
  readonly current?: string | undefined;
  readonly previous?: string | undefined;
}

const fileIn = (dataDir: string) => join(dataDir, 'secret.key');
const previousIn = (dataDir: string) => join(dataDir, 'secret.key.previous');

/**
 * The secrets of a data folder: those of settings, then `secret.key`, which is made if it is needed, and the secret
 * before while a rotation is going on.
 */
export async function openSecrets(dataDir: string, given: GivenSecrets = {}): Promise<SealedSecrets> {
  const [path, before] = [fileIn(dataDir), previousIn(dataDir)];
  const kept = given.current === undefined || existsSync(path) ? [await ensureSecret(path)] : [];
  if (existsSync(before)) kept.push(checked(before, (await readFile(before, 'utf8')).trim()));
  const all = [given.current, given.previous, ...kept];
  return new SealedSecrets(all.filter((secret) => secret !== undefined));
}

/** Makes another secret the current one. What the previous one sealed is opened until `endRotation`. */
export async function beginRotation(dataDir: string): Promise<void> {
  const [path, before] = [fileIn(dataDir), previousIn(dataDir)];
  // An interrupted rotation goes on with its secret.
  if (existsSync(before)) return;
  await ensureSecret(path);
  const next = `${path}.next`;
  rmSync(next, { force: true });
  await ensureSecret(next);
  linkSync(path, before);
  renameSync(next, path);
}

export function endRotation(dataDir: string): void {
  rmSync(previousIn(dataDir), { force: true });
}

async function ensureSecret(path: string): Promise<string> {
  return checked(path, await ensurePrivateFile(path, `${randomBytes(SECRET_BYTES).toString('hex')}\n`));
}

function checked(path: string, text: string): string {
  if (FORM.test(text)) return text;
  throw new OperatorError(
    `${path} is damaged. Restore it from a copy; without it remove it and start again: access tokens end, and webhooks need new secrets.`,
  );
}
