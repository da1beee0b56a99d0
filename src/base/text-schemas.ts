import { z } from 'zod';
import { hasAtMost, isWellFormedText } from './texts.ts';

// Schemas of texts. Patterns use only syntax that all JSON Schema validators read alike: the escape \u0000, classes and
// repetition. JavaScript trims U+FEFF too, which \s of other languages excludes.

/** At least one character that is not trimmed, and no NUL. */
export const VISIBLE_TEXT = '^[^\\u0000]*[^\\u0000\\s\\ufeff][^\\u0000]*$';
/** A text without control characters, except in its surrounding white space. */
const VISIBLE_LINE =
  '^\\s*[^\\u0000-\\u001f\\u007f-\\u009f\\s\\ufeff]([^\\u0000-\\u001f\\u007f-\\u009f]*[^\\u0000-\\u001f\\u007f-\\u009f\\s\\ufeff])?\\s*$';

const wellFormed = (text: z.ZodString, maxLength: number) =>
  text.refine(
    (value) => isWellFormedText(value) && hasAtMost(value, maxLength),
    `must be valid text of at most ${maxLength} characters`,
  );

/** Text of 1 to `maxLength` characters, unchanged. */
export const text = (maxLength: number) =>
  wellFormed(z.string().min(1), maxLength).meta({ maxLength, pattern: '^[^\\u0000]*$' });

/** Lines of text that people read, trimmed, of 1 to `maxLength` characters. */
export const lines = (maxLength: number) =>
  wellFormed(z.string().trim().min(1), maxLength).meta({ maxLength, pattern: VISIBLE_TEXT });

/** One line of text that people read, trimmed, of 1 to `maxLength` characters. */
export const line = (maxLength: number) =>
  z
    .string()
    .trim()
    .min(1)
    .refine((value) => hasAtMost(value, maxLength), `must have at most ${maxLength} characters`)
    .refine(
      (value) => isWellFormedText(value) && !/\p{Cc}/u.test(value),
      'must be one line of printable text',
    )
    .meta({ maxLength, pattern: VISIBLE_LINE });

/** A date of the calendar, from 0001-01-01. */
export const REAL_DATE =
  '^((\\d{3}[1-9]|\\d{2}[1-9]0|\\d[1-9]00|[1-9]000)-((0[13578]|1[02])-(0[1-9]|[12]\\d|3[01])|(0[469]|11)-(0[1-9]|[12]\\d|30)|02-(0[1-9]|1\\d|2[0-8]))' +
  '|(\\d\\d(0[48]|[2468][048]|[13579][26])|([2468][048]|[13579][26]|0[48])00)-02-29)$';
