import { MAX_CODE_LENGTH } from '@larder/core/codes/scanned-code.ts';
import { z } from 'zod';
import { TENANT_PATTERN, USER_ID_PATTERN } from '../access/api-key.ts';
import { REAL_DATE, VISIBLE_TEXT } from '../base/text-schemas.ts';
import { WRITTEN_ID_PATTERN } from '../base/time-ordered-id.ts';

export { line, text } from '../base/text-schemas.ts';

// Schemas of texts in the OpenAPI document; `base/text-schemas.ts` says which patterns are possible.

const TIME_OF_DAY = '([01]\\d|2[0-3]):[0-5]\\d';
const REAL_MOMENT = `${REAL_DATE.slice(0, -1)}T${TIME_OF_DAY}:[0-5]\\d(\\.\\d{1,9})?(Z|[+-]${TIME_OF_DAY})$`;

/** Describes the input of `parseFoodName` and `parseUnit`: 1 to `maxLength` characters after trimming. */
export const visibleText = (maxLength: number) => z.string().meta({ maxLength, pattern: VISIBLE_TEXT });

export const WHAT_USER_IDS_ARE = 'must have 1 to 128 printable ASCII characters and no space';

/** The name of a tenant. */
export const tenantText = z
  .string()
  .regex(
    TENANT_PATTERN,
    'must have 1 to 64 letters, digits, dots, dashes and underscores, and begin with a letter or digit',
  );

export const userIdText = z.string().regex(USER_ID_PATTERN, WHAT_USER_IDS_ARE).meta({ example: 'user-1' });

// The following values are described here but checked by their parsers, because each has an error of its own.

/** Describes the input of `parseDay`. */
export const dateText = z.string().meta({ format: 'date', pattern: REAL_DATE, example: '2026-01-31' });
/** Describes the input of `parseMoment`. */
export const momentText = z
  .string()
  .meta({ format: 'date-time', pattern: REAL_MOMENT, example: '2026-01-31T12:30:00+01:00' });
/** Describes the input of `readScannedCode`, as far as a schema can: no code has fewer digits. */
export const barcodeText = z.string().meta({ maxLength: MAX_CODE_LENGTH, pattern: '([^0-9]*[0-9]){6}' });

/** `true` or `false` in a query. */
export const flag = (message: string) =>
  z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean(message));

/** A whole number in a query: digits alone, since an empty text or "0x10" would be a number, too. */
export const wholeNumber = (schema: z.ZodInt) =>
  z.preprocess((typed) => (/^\d{1,15}$/.test(String(typed)) ? Number(typed) : typed), schema);

/** The id of a new record, chosen by its client. */
export const chosenId = z
  .string()
  .regex(WRITTEN_ID_PATTERN, 'must be a ULID or a UUID')
  .describe(
    'A ULID or UUID that you choose. Sent again, it answers 200 with what is there, and nothing is written; if that was deleted, 410.',
  )
  .meta({ example: '01JZ8Q6T3V0000XW5M8KQ2NCE7' });
export const WHAT_KNOWN_IDS_ANSWER = 'The existing object with this `id`; nothing was written.';
