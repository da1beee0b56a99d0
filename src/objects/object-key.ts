declare const brand: unique symbol;

/**
 * Where an object is: a folder and a name, such as `images/01900000-0000-7000-8000-000000000000`. Small letters alone,
 * so that no two keys are one file on any file system, and nothing that an address would have to escape.
 */
export type ObjectKey = string & { readonly [brand]: 'ObjectKey' };

const FOLDER = '[a-z][a-z0-9-]{0,31}';
const KEY = new RegExp(`^${FOLDER}/[a-z0-9][a-z0-9._-]{0,127}$`);
const PREFIX = new RegExp(`^${FOLDER}/(?:[a-z0-9][a-z0-9._-]{0,127})?$`);

export function isObjectKey(text: string): text is ObjectKey {
  return KEY.test(text);
}

/** Throws a plain error: keys are made by the program, never by clients. */
export function parseObjectKey(text: string): ObjectKey {
  if (!isObjectKey(text)) throw new Error(`${JSON.stringify(text)} is no object key`);
  return text;
}

/** A whole folder (`images/`), or the names in it that begin alike (`images/0190`). */
export function parseKeyPrefix(text: string): { readonly folder: string; readonly namePrefix: string } {
  if (!PREFIX.test(text)) throw new Error(`${JSON.stringify(text)} is no prefix of object keys`);
  const [folder, namePrefix] = text.split('/') as [string, string];
  return { folder, namePrefix };
}
