import { expect, test } from 'vitest';
import { momentText } from '../../http/openapi/text-schemas.ts';
import { parseMoment } from './moment.ts';

/** Of the OpenAPI document, which describes what is read. */
const pattern = new RegExp(momentText.meta()!.pattern as string);

test.each([
  '2026-01-31T12:30:00Z',
  '2026-01-31T00:00:00-00:00',
  '2024-02-29T23:59:59.123456789+05:45',
  '0001-01-01T00:00:00-23:59',
])('%s is a time, and is kept as it is', (text) => {
  expect(parseMoment(text, 'eatenAt')).toBe(text);
  expect(text).toMatch(pattern);
});

test.each([
  '2026-01-31',
  '2026-01-31T12:30:00',
  '2026-01-31T12:30Z',
  '2026-01-31 12:30:00Z',
  '2026-02-29T12:30:00Z',
  '2026-01-31T24:00:00Z',
  '2026-01-31T23:59:60Z',
  '2026-01-31T12:30:00.Z',
  '2026-01-31T12:30:00.1234567890Z',
  '2026-01-31T12:30:00+24:00',
  '2026-01-31T12:30:00+0100',
  '2026-01-31T12:30:00Z\n',
  '+002026-01-31T12:30:00Z',
])('%j is refused, and the field is named', (text) => {
  expect(() => parseMoment(text, 'eatenAt')).toThrow(
    expect.objectContaining({ code: 'invalid_request', details: { fields: ['eatenAt'] } }),
  );
  // `$` matches before a line break at the end in some languages, though not in JavaScript.
  expect(text).not.toMatch(pattern);
});
