import type { ERROR_DETAILS } from '@larder/core/error-details.ts';
import { expect, expectTypeOf, it } from 'vitest';
import type { z } from 'zod';
import type { ErrorCode } from '../generated/types.gen.ts';
import { LarderError, type LarderErrorCode, type LarderErrorOf, type ServiceErrorDetails } from './error.ts';

/** Zod types an empty object as one with any field, each of type never. */
type Fields<T> = { -readonly [Code in keyof T]: string extends keyof T[Code] ? never : keyof T[Code] };
type Declared = { [Code in keyof typeof ERROR_DETAILS]: z.infer<(typeof ERROR_DETAILS)[Code]> };

it('the codes and their details equal those of the service', () => {
  expectTypeOf<keyof ServiceErrorDetails>().toEqualTypeOf<ErrorCode>();
  expectTypeOf<Fields<ServiceErrorDetails>>().toEqualTypeOf<Fields<Declared>>();
  expectTypeOf<Declared>().toExtend<ServiceErrorDetails>();
});

it('an error is narrowed by instanceof and its code', () => {
  const error: unknown = new LarderError({ code: 'timeout', message: 'late', details: { timeoutMs: 5 } });
  if (!(error instanceof LarderError)) throw error;
  expectTypeOf(error.code).toEqualTypeOf<LarderErrorCode>();
  if (error.code === 'timeout') expectTypeOf(error.details.timeoutMs).toEqualTypeOf<number>();
  if (error.code === 'rate_limit_exceeded') {
    expectTypeOf(error).toEqualTypeOf<LarderErrorOf<'rate_limit_exceeded'>>();
    expectTypeOf(error.details.retryAfter).toEqualTypeOf<number>();
  }
  expect(error).toMatchObject({ name: 'LarderError', code: 'timeout', details: { timeoutMs: 5 } });
});
