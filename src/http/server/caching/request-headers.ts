import { z } from 'zod';
import { expectedVersion } from './etag.ts';

// Headers that some operations read.

/** Gives the version that is expected, if any. */
export const ifMatch = z.object({
  'If-Match': z
    .string()
    .optional()
    .describe('An ETag as it was answered, or *: only while it is still at this version; otherwise 412.')
    .meta({ pattern: '^(\\*|(W/)?"[!#-~]*")$', example: '"1"' })
    .transform(expectedVersion),
});

export const ifNoneMatch = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .describe('ETags that were read before: 304 where it is still at one of them.')
    .meta({ example: '"1"' }),
});
export const UNCHANGED = { 304: 'It is still at a version that If-None-Match names.' };
