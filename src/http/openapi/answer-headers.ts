import type { AnswerHeader } from '../../api/operation.ts';

/** The headers of responses, as components of the document. */
export const HEADERS: Readonly<Record<AnswerHeader, object>> = {
  'X-Request-Id': {
    description: 'Identifies this request in the logs. A valid one in the request is used.',
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'Requests allowed in the current window.',
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'Requests left in the current window.',
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'When the window ends, in Unix seconds.',
    schema: { type: 'integer' },
  },
  'WWW-Authenticate': { description: 'How to send a credential.', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 } },
  ETag: {
    description: 'The version, for If-Match and If-None-Match.',
    schema: { type: 'string' },
    example: '"1"',
  },
  Location: { description: 'Path of the new object.', schema: { type: 'string', format: 'uri-reference' } },
  'Clear-Site-Data': { description: 'What the browser forgets.', schema: { type: 'string' } },
  'Set-Cookie': { description: 'The cookie of the session.', schema: { type: 'string' } },
  Link: {
    description: 'The address of the next page, with `rel="next"` (RFC 8288); absent on the last page.',
    schema: { type: 'string' },
    example: '</v1/foods?limit=20&after=manual%3A01JZ8Q6T3V0000XW5M8KQ2NCE7>; rel="next"',
  },
  'Limit-Applied': {
    description: 'The maximum of `limit`, where the request has a higher one.',
    schema: { type: 'integer', minimum: 1 },
  },
  'Unknown-Excluded': {
    description:
      'The filters by which foods were left out of which it is not known whether they fulfil them.',
    schema: { type: 'string' },
    example: 'diet, without',
  },
  'Idempotency-Replayed': {
    description: '`true` if this is the stored response to the same Idempotency-Key.',
    schema: { const: 'true' },
  },
};

const ON_EVERY_ANSWER: readonly AnswerHeader[] = [
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** References to the headers of every response, and to additional ones. */
export function describeHeaders(...more: AnswerHeader[]): Record<string, { $ref: string }> {
  const names = [...ON_EVERY_ANSWER, ...more];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
