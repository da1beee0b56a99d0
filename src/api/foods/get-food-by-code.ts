import { readScannedCode, type ScannedCode } from '@larder/core/codes/scanned-code.ts';
import { z } from 'zod';
import { invalidQuery } from '../../base/list-request.ts';
import { shortName, unknownParameterText } from '../likely-name.ts';
import { operation } from '../operation.ts';
import { barcodeText, userIdText } from '../text-schemas.ts';
import { type FoodsPort, includeQuery, langQuery, MAX_CACHE_BYTES } from './food-query.ts';
import { cacheSlotOfCode, codeAnswer, lookUpCode, WHAT_CODES_ARE } from './look-up-parts.ts';

export const codeFields = includeQuery.extend({
  code: barcodeText
    .describe(`${WHAT_CODES_ARE} A link may be sent as it is, with its own query.`)
    .meta({ example: '(01)00747599322198(10)AB12' }),
  ...langQuery.shape,
  userId: userIdText.optional().describe('Find the foods of this user too.'),
});

/** The format of GS1 application identifiers. */
const IDENTIFIER = /^\d{2,4}$/;

/**
 * The code, completed with the parts of a link in `others` whose query was not encoded: identifiers are not
 * parameter names.
 */
export function readCodeParameter(
  code: string,
  others: Readonly<Record<string, unknown>>,
  known: readonly string[],
): ScannedCode {
  // Other parameters of a link are for the website.
  const unknown = code.includes('?') ? undefined : Object.keys(others).find((name) => !IDENTIFIER.test(name));
  if (unknown !== undefined) {
    throw invalidQuery(shortName(unknown), unknownParameterText(unknown, known));
  }
  const attributes = Object.entries(others).flatMap(([name, value]) =>
    IDENTIFIER.test(name) && typeof value === 'string' ? [`${name}=${encodeURIComponent(value)}`] : [],
  );
  const whole = attributes.length === 0 ? code : [code, ...attributes].join(code.includes('?') ? '&' : '?');
  return readScannedCode(whole);
}

export const getFoodByCode = operation({
  method: 'GET',
  path: '/v1/foods/barcode',
  id: 'getFoodByCodeV1',
  tag: 'Foods (v1)',
  summary: 'Look up a food by a scanned code',
  description:
    'As `/v1/foods/barcode/{upc}`, for codes that do not fit well into a path, such as links. With `userId` foods that belong ' +
    'to this user are found too.',
  access: { credential: 'bearer', scope: 'foods:read' },
  counts: 'barcode',
  query: z.looseObject(codeFields.shape).transform(({ code, include, lang, userId, ...others }) => ({
    code: readCodeParameter(code, others, Object.keys(codeFields.shape)),
    include,
    lang,
    userId,
  })),
  answer: codeAnswer,
  errors: ['invalid_barcode', 'barcode_not_found'],
  keeps: {
    maxBytes: MAX_CACHE_BYTES,
    placeOf: ({ caller, query }, { foods }: FoodsPort) => cacheSlotOfCode(caller, query, foods),
  },
  handle: ({ caller, query }, { foods }: FoodsPort) => lookUpCode(caller, query, foods),
});
