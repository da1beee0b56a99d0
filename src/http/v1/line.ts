import { z } from 'zod';
import { isStorable } from '../../storable-text.ts';

/** One line of text that people read, trimmed, of 1 to `maxLength` characters. */
export const line = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(maxLength)
    .refine((text) => isStorable(text) && !/\p{Cc}/u.test(text), 'must be one line of printable text');
