import { z } from 'zod';
import { scannedFactsSchema } from './scanned-facts.ts';

const candidate = z
  .object({ id: z.string(), name: z.string(), brand: z.string().optional() })
  .meta({ id: 'FoodCandidate', description: 'A food that may be meant.' });

export const unresolvedItemsSchema = z.array(
  z
    .object({
      index: z.int().min(0).describe('Index of the line among the ingredients, or of the item in the text.'),
      text: z.string().describe('The line, or the words that name the food.'),
      start: z.int().min(0).describe('Start of the words in the line or text, in UTF-16 units.'),
      end: z.int().min(0).describe('End of the words, exclusive.'),
      line: z.int().min(0).optional().describe('Number of the line, from 0, if the text has several.'),
      unresolved: z.enum(['food', 'amount']).describe('The part that is not known.'),
      candidates: z.array(candidate).describe('Up to 5.'),
    })
    .meta({ id: 'UnresolvedItem', description: 'Words of a text that cannot be logged.' }),
);

export const otherProductsSchema = z
  .array(
    z
      .object({
        id: z.string(),
        name: z.string(),
        brand: z.string().optional(),
        barcode: z.string().optional(),
      })
      .meta({ id: 'OtherProduct' }),
  )
  .describe('Up to 5 other products whose numbers differ only in leading zeros.');

/** The part of the body that an error is about. */
const place = {
  fields: z
    .array(z.string())
    .optional()
    .describe('The fields that are wrong, unknown or missing, at most 20.'),
  index: z.int().min(0).optional().describe('Index of the element, if the body holds a list.'),
  start: z.int().min(0).optional().describe('Start of the words of a text, in UTF-16 units.'),
  end: z.int().min(0).optional().describe('End of the words of a text, exclusive.'),
  line: z.int().min(0).optional().describe('Number of the line, from 0, if the text has several.'),
};
const placed = z.object(place);
const nothing = z.object({});
const names = z.array(z.string());
const count = z.int().min(0);
const HOW_MANY = 'Maximum number.';

/** Messages of the codes `<kind>_not_found`, by kind. Their errors have no `details`, except those that are described below. */
export const NOT_FOUND = {
  food: 'There is no food with this id.',
  facts: 'There are no facts of this food.',
  scan_job: 'There is no scan with this id.',
  diary_entry: 'There is no diary entry with this id.',
  recipe: 'There is no recipe with this id.',
  measurement: 'There is no measurement with this id.',
  meal: 'There is no saved meal with this id.',
  favourite: 'There is no favourite with this id.',
  goals: 'There are no goals that begin on this day.',
  key: 'There is no live key with this id.',
  webhook: 'There is no webhook with this id.',
  delivery: 'There is no delivery with this id.',
  person: 'Nobody in this household has this id.',
  link: 'This link was used or has expired; ask an owner of the household for a new one.',
  invitation: 'There is no open invitation with this id; it may have been used.',
  session: 'You have no session with this id.',
  passkey: 'You have no passkey with this id.',
  identity: 'You have no account with this id.',
  import: 'There is no import with this id; the last 20 are kept.',
  catalogue: 'There is no catalogue with this id; GET /v1/operator/catalogues lists all.',
  ticket: 'This ticket has ended; ask for a new one.',
} as const;
type NotFoundCode = `${keyof typeof NOT_FOUND}_not_found`;

const notFoundDetails = Object.fromEntries(
  Object.keys(NOT_FOUND).map((kind) => [`${kind}_not_found`, nothing]),
) as Readonly<Record<NotFoundCode, typeof nothing>>;

/**
 * The closed list of error codes of the API, with the `details` of each. The types of errors and their
 * schemas in the API document are derived from it. The status of each code is in
 * `http/server/error-response.ts`.
 */
export const ERROR_DETAILS = {
  invalid_request: placed.extend({
    header: z.string().optional().describe('The request header that is wrong.'),
    limit: count.optional().describe(HOW_MANY),
    max: z.number().optional().describe('The largest value or number of elements.'),
    maxDays: count.optional().describe('The longest range of days.'),
    possible: names.optional().describe('The units that are possible instead.'),
    status: z.string().optional().describe('State of the scan that cannot be logged.'),
    unsure: z.array(count).optional().describe('Items of the scan that it is unsure of.'),
    limitBytes: count.optional().describe('The most bytes of all headers together.'),
    expectedBytes: count.optional().describe('The announced length of an upload.'),
    weakness: z.enum(['common', 'name']).optional().describe('Why a chosen password is refused.'),
  }),
  invalid_query: z.object({
    parameter: z.string().optional().describe('The query parameter that is wrong.'),
    limit: count.optional().describe(HOW_MANY),
    maxDays: count.optional().describe('The longest range of days.'),
  }),
  invalid_barcode: placed,
  invalid_content_type: z.object({ allowed: names.describe('The types that are allowed.') }),
  invalid_api_key: z.object({
    session: z
      .enum(['ended', 'expired'])
      .optional()
      .describe('Of a session: `ended` by somebody, so that the device forgets what it keeps, or `expired`.'),
  }),
  expired_api_key: z.object({ expiredAt: z.iso.datetime().describe('Time at which the key expired.') }),
  invalid_token: nothing,
  expired_token: nothing,
  forbidden: z.object({
    scope: z.string().optional().describe('The missing scope.'),
    scopes: names.optional().describe('Scopes that the key cannot grant.'),
    limits: names.optional().describe('Limits that the key cannot grant.'),
    expiresAt: z.iso.datetime().optional().describe('The latest end of a key that this one can make.'),
    expiredAt: z.iso.datetime().optional().describe('Time at which the signed address expired.'),
    reason: z.literal('already_uploaded').optional().describe('The image of this address has arrived.'),
  }),
  confirmation_required: z.object({
    methods: names.describe(
      'How the person can prove who they are: `password`, `openid`, `passkey`; at a sign-in also `recovery_code`.',
    ),
    maxAgeSeconds: count.describe('How long a proof counts.'),
  }),
  quota_exceeded: z.object({
    quota: z.string().describe('Name of the quota.'),
    limit: count.describe(HOW_MANY),
    used: count.describe('Current number.'),
  }),
  not_found: nothing,
  barcode_not_found: placed.extend({
    candidates: names.describe('The GTINs that were tried.'),
    known: z
      .object({ name: z.string(), brand: z.string().optional() })
      .meta({ id: 'KnownProduct' })
      .optional()
      .describe('A product with this barcode whose nutrients are unknown.'),
    others: otherProductsSchema.optional(),
    scanned: scannedFactsSchema.optional(),
  }),
  ...notFoundDetails,
  // Bodies name these, too.
  food_not_found: placed,
  scan_job_not_found: placed,
  recipe_not_found: placed,
  method_not_allowed: z.object({ allowed: names.describe('The methods that are allowed.').optional() }),
  conflict: nothing,
  idempotency_conflict: nothing,
  cursor_expired: nothing,
  deleted: placed,
  version_conflict: z.object({
    current: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The current state, as its own operation returns it.'),
  }),
  payload_too_large: z.object({ limitBytes: count.describe('0 where no body is allowed.') }),
  unsupported_media_type: z.object({
    header: z.string().optional().describe('The request header that is the reason.'),
    expected: z.string().optional().describe('The type that a signed address takes.'),
  }),
  unresolved_items: z.object({ items: unresolvedItemsSchema }),
  rate_limit_exceeded: z.object({ retryAfter: z.int().min(1).describe('In seconds, as in Retry-After.') }),
  internal_error: nothing,
  unavailable: z.object({
    reason: z.literal('busy').optional().describe('Other requests use all capacity.'),
    phase: z.string().optional().describe('Phase of a service that is not ready.'),
    database: z.literal('unreachable').optional().describe('The database does not answer.'),
  }),
  storage_full: nothing,
} as const;
