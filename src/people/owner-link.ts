import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { OperatorError } from '@larder/core/errors.ts';
import { ensurePrivateFile } from '../files/private-file.ts';
import type { PeopleStore } from './people-store.ts';
import { newSecret, SECRET_FORM, secretHash } from './sessions.ts';

const LINK_PATTERN = new RegExp(`#link=(${SECRET_FORM})$`);

/** The file is readable by its owner only. */
function ownerLinkPath(dataDir: string): string {
  return join(dataDir, 'owner-link.txt');
}

export async function removeOwnerLink(dataDir: string): Promise<void> {
  await rm(ownerLinkPath(dataDir), { force: true });
}

/**
 * Returns the link by which the first owner joins, and removes its file once there are people. The file is written first and
 * the store adopts its content, so that a crash in between loses nothing.
 */
export async function keepOwnerLink(
  store: PeopleStore,
  { dataDir, url }: { readonly dataDir: string; readonly url: string },
): Promise<{ readonly text: string; readonly file: string } | undefined> {
  const file = ownerLinkPath(dataDir);
  if (await store.hasPeople()) {
    await removeOwnerLink(dataDir);
    return undefined;
  }
  const text = await ensurePrivateFile(file, `${url}/welcome#link=${newSecret()}`);
  const secret = LINK_PATTERN.exec(text)?.[1];
  if (secret === undefined)
    throw new OperatorError(`${file} does not contain a link. Remove the file and start again.`);
  await store.addOwnerLink(secretHash(secret));
  return { text, file };
}
