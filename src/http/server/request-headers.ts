import { z } from 'zod';

/** Headers that some routes read, as their docs describe them. */
export const ifMatch = z.object({
  'If-Match': z
    .string()
    .optional()
    .describe('An ETag as it was answered, or *: only while it is still at this version; otherwise 412.')
    .meta({ pattern: '^(\\*|(W/)?"[!#-~]*")$', example: '"1"' }),
});

export const lastEventId = z.object({
  'Last-Event-ID': z
    .string()
    .optional()
    .describe('The `id` of the last message that was read: only later ones follow.'),
});

export const ifNoneMatch = z.object({
  'If-None-Match': z
    .string()
    .optional()
    .describe('ETags that were read before: 304 where it is still at one of them.')
    .meta({ example: '"1"' }),
});
export const UNCHANGED = { 304: 'It is still at a version that If-None-Match names.' };
