export interface HostileRequest {
  readonly what: string;
  readonly bytes: Buffer;
}

const MIB = 1024 * 1024;
/** Slightly below the limits, to measure the work and not the rejection. */
const BODY_BYTES = MIB - 256;
const TARGET_BYTES = 7_500;
const HEADER_BYTES = 15_000;
const ENTRY = '"date":"2026-01-31","mealType":"lunch"';
const JSON_TYPE = 'content-type: application/json\r\n';
const FORM_TYPE = 'content-type: application/x-www-form-urlencoded\r\n';

const UNKNOWN_FIELDS = `{${fill(BODY_BYTES, (i) => `"${i.toString(36)}":0`)}}`;

/** Sent to `POST /v1/auth/token` without a key. */
const TOKEN_BODIES: Readonly<Record<string, readonly [type: string, body: string]>> = {
  'form of 40,000 names': [FORM_TYPE, Array.from({ length: 40_000 }, (_, i) => i.toString(36)).join('&')],
  'form of one name, 99,000 times': [FORM_TYPE, 'a&'.repeat(99_000)],
  'JSON with unknown fields': [JSON_TYPE, UNKNOWN_FIELDS],
};

/** Sent to `POST /v1/users/:userId/diary`. */
const DIARY_BODIES: Readonly<Record<string, string>> = {
  'unknown fields': UNKNOWN_FIELDS,
  'numbers as field names': `{${fill(BODY_BYTES, (i) => `"${4e9 - i * 7}":0`)}}`,
  'one field over and over': `{${fill(BODY_BYTES, () => '"date":0')}}`,
  'unknown fields with objects': `{${fill(BODY_BYTES, (i) => `"${i.toString(36)}":{}`)}}`,
  'unknown fields, a hidden __proto__': `{"a":"\\"__proto__\\":",${fill(BODY_BYTES, (i) => `"${i.toString(36)}":{}`)}}`,
  'arrays in arrays': `[${fill(BODY_BYTES, () => '['.repeat(60) + ']'.repeat(60))}]`,
  'brackets alone': '['.repeat(BODY_BYTES),
  '350,000 empty entries': `[${fill(BODY_BYTES, () => '{}')}]`,
  'one number of 1 MiB': `{"calories":${'9'.repeat(BODY_BYTES)}}`,
  'a name of 1 MiB of spaces': `{${ENTRY},"foodName":"a${' '.repeat(BODY_BYTES - 150)}b","calories":1,"protein":1,"carbs":1,"fat":1}`,
  'a unit of 1 MiB of spaces': `{${ENTRY},"foodId":"off:3017620422003","quantity":1,"unit":"a${' '.repeat(BODY_BYTES - 150)}b"}`,
  'one unknown field of 1 MiB': `{"${'x'.repeat(BODY_BYTES)}":0}`,
  '100 entries of unknown fields': entriesOf(300),
  'as many values as are allowed, one entry': `{${unknownFields(19_990)}}`,
  'as many values as are allowed, 100 entries': entriesOf(190),
};

const USER = '/v1/users/ann/diary';
const DAY = `GET ${USER}?date=2026-01-31`;
const ENTRY_OF_NOBODY = `${USER}/01KG9V4N00000000000000EXMP`;

/** Start of the request, and header lines beside the credential. */
const HEADS: Readonly<Record<string, readonly [start: string, headers?: string]>> = {
  'query of 1,500 parameters': [`${DAY}&${fill(TARGET_BYTES, (i) => `${i}`, '&')}`],
  'query of one parameter, 3,700 times': [`${DAY}&${fill(TARGET_BYTES, () => 'a', '&')}`],
  'query, percent-encoded': [`GET ${USER}?date=${fill(TARGET_BYTES, () => '%f0%9f%8d%8c', '')}`],
  'query, broken percent-encoding': [`GET ${USER}?date=${fill(TARGET_BYTES, () => '%f0%9', '')}`],
  'path, percent-encoded': [`GET /v1/users/${fill(TARGET_BYTES, () => '%41', '')}/diary`],
  'X-Forwarded-For of 1,600 addresses': [DAY, header('x-forwarded-for', () => '10.0.0.1')],
  '1,500 headers': [DAY, fill(HEADER_BYTES - 3_000, (i) => `x${i}:a\r\n`, '')],
  '1,200 cookies': [DAY, 'cookie:a\r\n'.repeat(1_200)],
  'If-None-Match of 5,000 tags': [`GET ${ENTRY_OF_NOBODY}`, header('if-none-match', () => '""')],
  'If-Match of quotes': [`DELETE ${ENTRY_OF_NOBODY}`, header('if-match', () => '"')],
  'Origin of 15,000 characters': [DAY, header('origin', () => 'a')],
  'Range of 3,000 ranges': [DAY, header('range', (i) => `${i}-`)],
};

/**
 * One request of each kind that costs the service more than its sender; `key` is the header line of a valid
 * credential.
 */
export function hostileRequests(key: string): readonly HostileRequest[] {
  return [
    ...Object.entries(TOKEN_BODIES).map(([what, [type, body]]) => ({
      what: `token, no key: ${what}`,
      bytes: request('POST /v1/auth/token', type, body),
    })),
    ...Object.entries(DIARY_BODIES).map(([what, body]) => ({
      what: `diary: ${what}`,
      bytes: request(`POST ${USER}`, key + JSON_TYPE, body),
    })),
    {
      what: 'diary: unknown fields, Idempotency-Key',
      bytes: request(`POST ${USER}`, `${key}${JSON_TYPE}idempotency-key: a\r\n`, UNKNOWN_FIELDS),
    },
    { what: 'diary: chunks of one byte', bytes: chunked(key) },
    {
      what: 'goals: unknown fields',
      bytes: request('PUT /v1/users/ann/goals', key + JSON_TYPE, UNKNOWN_FIELDS),
    },
    {
      what: 'no such path: unknown fields',
      bytes: request('POST /v1/nowhere', key + JSON_TYPE, UNKNOWN_FIELDS),
    },
    ...Object.entries(HEADS).map(([what, [start, headers = '']]) => ({
      what,
      bytes: request(start, key + headers),
    })),
    {
      what: 'a credential of 15,000 spaces',
      bytes: request(DAY, `authorization: Bearer${' '.repeat(HEADER_BYTES)}a b\r\n`),
    },
    {
      what: 'Content-Type of 7,000 parameters',
      bytes: request(`POST ${USER}`, `${key}content-type: application/json${';a=b'.repeat(3_500)}\r\n`, '{}'),
    },
  ];
}

function request(start: string, headers: string, body?: string): Buffer {
  const length = body === undefined ? '' : `content-length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(
    `${start} HTTP/1.1\r\nhost: larder\r\nconnection: close\r\n${headers}${length}\r\n${body ?? ''}`,
  );
}

function chunked(key: string): Buffer {
  const head = request(`POST ${USER}`, `${key}${JSON_TYPE}transfer-encoding: chunked\r\n`);
  return Buffer.concat([head, Buffer.from(`${'1\r\n \r\n'.repeat(BODY_BYTES)}2\r\n{}\r\n0\r\n\r\n`)]);
}

function unknownFields(count: number): string {
  return Array.from({ length: count }, (_, i) => `"f${i}":0`).join(',');
}

function entriesOf(fields: number): string {
  return `[${Array(100)
    .fill(`{${unknownFields(fields)}}`)
    .join(',')}]`;
}

function header(name: string, part: (i: number) => string): string {
  return `${name}: ${fill(HEADER_BYTES, part)}\r\n`;
}

/** The maximum number of parts that fit into this many bytes. */
function fill(sizeBytes: number, part: (i: number) => string, separator = ','): string {
  const parts: string[] = [];
  for (let bytes = 0, i = 0; ; i++) {
    const next = part(i);
    bytes += next.length + separator.length;
    if (bytes > sizeBytes) return parts.join(separator);
    parts.push(next);
  }
}
