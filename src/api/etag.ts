import { hash } from 'node:crypto';
import { AppError } from '@larder/core/errors.ts';
import { z } from 'zod';
import { versionConflict } from '../diary/diary-errors.ts';
import type { OperationRequest } from './operation.ts';

/** Adds the current version to the error of a change with an outdated version. Rethrows other errors unchanged. */
export async function withConflictDetails<T>(
  change: Promise<T>,
  readCurrent: () => Promise<object>,
): Promise<T> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'version_conflict') throw error;
    const { code, message } = error;
    // The number of bytes in the response, without undefined fields.
    const current = JSON.parse(JSON.stringify(await readCurrent()));
    throw new AppError({ code, message, details: { current }, cause: error });
  }
}

interface RecordChange<T> {
  /** Fields of the record that clients cannot write. */
  readonly readOnly: readonly string[];
  /** The record as its own operation returns it. */
  readonly readCurrent: () => Promise<object>;
  readonly change: () => Promise<T>;
}

/**
 * Changes a record. Read-only fields that were sent back must be the current ones: an outdated `version` is a conflict, as in
 * If-Match; any other value is rejected. Objects and lists of objects are computed, and are ignored.
 */
export async function applyChange<T>(
  { raw }: Pick<OperationRequest, 'raw'>,
  { readOnly, readCurrent, change }: RecordChange<T>,
): Promise<T> {
  const body = raw.body as Readonly<Record<string, unknown>>;
  const sent = readOnly.filter((name) => body[name] !== undefined && isPlain(body[name]));
  if (sent.length > 0) {
    const current = (await readCurrent()) as Readonly<Record<string, unknown>>;
    const fields = sent.filter((name) => JSON.stringify(body[name]) !== JSON.stringify(current[name]));
    if (fields.includes('version'))
      return withConflictDetails(Promise.reject(versionConflict()), readCurrent);
    if (fields.length > 0) {
      throw new AppError({
        code: 'invalid_request',
        message: `Nobody can change ${fields.map((name) => `"${name}"`).join(', ')}; leave it out, or send it as it was read.`,
        details: { fields },
      });
    }
  }
  return withConflictDetails(change(), readCurrent);
}

function isPlain(value: unknown): boolean {
  return Array.isArray(value) ? value.every(isPlain) : typeof value !== 'object';
}

/** The entity tag of a version: strong, since the same version is the same bytes (RFC 9110, 8.8.3). */
export function versionTag(version: number | string): string {
  return `"${version}"`;
}

const ENTITY_TAG = /^(?:W\/)?"[^"]*"$/;
const OUR_TAG = /^"(0|[1-9]\d{0,8})"$/;
/** A version that no record has, so that expecting it is always a conflict. 0 is that of a record that was never written. */
const NO_VERSION = -1;

/**
 * The version that `If-Match` requires; undefined if any version is allowed. A tag in another format, or a
 * weak one, matches nothing (RFC 9110, 13.1.1).
 */
export function expectedVersion(ifMatch: string | undefined): number | undefined {
  const tag = ifMatch?.trim();
  if (tag === undefined || tag === '*') return undefined;
  if (!ENTITY_TAG.test(tag)) {
    throw new AppError({
      code: 'invalid_request',
      message: 'If-Match must be one ETag as it was answered, with its quotes, or *.',
      details: { header: 'If-Match' },
    });
  }
  const version = OUR_TAG.exec(tag)?.[1];
  return version === undefined ? NO_VERSION : Number(version);
}

const ANY_TAG = /(?:W\/)?("[^"]*")/g;

/**
 * Whether `If-None-Match` names this version, so that the client has it already. Uses the weak comparison; an
 * invalid tag matches nothing (RFC 9110, 13.1.2).
 */
export function isKnownVersion(ifNoneMatch: string | undefined, version: number | string): boolean {
  if (ifNoneMatch === undefined) return false;
  if (ifNoneMatch.trim() === '*') return true;
  return [...ifNoneMatch.matchAll(ANY_TAG)].some(([, tag]) => tag === versionTag(version));
}

/** The version of an object that nobody can change here: a hash of its content. */
export function contentVersion(value: object): string {
  return hash('sha256', JSON.stringify(value), 'base64url').slice(0, CONTENT_CHARACTERS);
}

/** 132 bits. */
const CONTENT_CHARACTERS = 22;

// Headers that some operations read.

/** Returns the expected version, if any. */
export const ifMatch = z.object({
  'If-Match': z
    .string()
    .optional()
    .describe('ETag of a response, or *. If the version is not current, the response is 412.')
    .meta({ pattern: '^(\\*|(W/)?"[!#-~]*")$', example: '"1"' })
    .transform(expectedVersion),
});

export const ifNoneMatch = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .describe('ETags of earlier responses. The response is 304 if one of them is current.')
    .meta({ example: '"1"' }),
});
export const NOT_MODIFIED_ANSWER = { 304: 'The version of If-None-Match is current.' };
