import { mkdirSync, statSync } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

// Node's own `recursive` never returns (Node 24) on a file system such as /proc, which answers ENOENT for a folder
// whose parent exists. This code tries each folder twice at most.

/** Makes a folder with its parents, unless it exists. Returns whether it was created. */
export async function makeFolder(path: string): Promise<boolean> {
  const failure = await mkdir(path).then(nothing, asValue);
  if (failure === undefined) return true;
  if (failure.code === 'ENOENT' && dirname(path) !== path) {
    await makeFolder(dirname(path));
    const again = await mkdir(path).then(nothing, asValue);
    if (again === undefined) return true;
  }
  // The failure is EEXIST, or another code on a read-only file system, if the folder exists.
  const found = await stat(path).catch(nothing);
  if (found?.isDirectory()) return false;
  throw failure;
}

export function makeFolderSync(path: string): void {
  try {
    mkdirSync(path);
  } catch (error) {
    const failure = asValue(error);
    if (failure.code === 'ENOENT' && dirname(path) !== path) {
      makeFolderSync(dirname(path));
      mkdirUnlessThere(path, failure);
    } else requireFolder(path, failure);
  }
}

function mkdirUnlessThere(path: string, failure: Error): void {
  try {
    mkdirSync(path);
  } catch {
    requireFolder(path, failure);
  }
}

function requireFolder(path: string, failure: Error): void {
  if (!isFolder(path)) throw failure;
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function nothing(): undefined {
  return undefined;
}

function asValue(error: unknown): NodeJS.ErrnoException {
  return error as NodeJS.ErrnoException;
}
