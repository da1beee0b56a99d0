import { AppError, BusyError, ConstraintError, OperatorError, OutageError } from '@larder/core/errors.ts';
import { expect, test } from 'vitest';
import { received, transferred } from './error-transfer.ts';

const travel = (error: unknown) => received(structuredClone(transferred(error)));

test.each([BusyError, OutageError, ConstraintError, OperatorError, Error])(
  '%o keeps its class, message and code',
  (kind) => {
    const arrived = travel(Object.assign(new kind('the disk is full'), { code: 'ENOSPC' }));
    expect(arrived).toMatchObject({ message: 'the disk is full', code: 'ENOSPC' });
    expect(arrived.constructor).toBe(kind);
  },
);

test('an error for clients keeps its code and details, without its cause', () => {
  const error = new AppError({
    code: 'invalid_request',
    message: 'The day is full.',
    details: { max: 1 },
    cause: new Error('inner'),
  });
  const arrived = travel(error);
  expect(arrived).toBeInstanceOf(AppError);
  expect(arrived).toMatchObject({
    code: 'invalid_request',
    message: 'The day is full.',
    details: { max: 1 },
  });
  expect(arrived.cause).toBeUndefined();
});

test.each([['text'], [undefined], [null], [{ message: 'like an error' }], [new TypeError('x')]])(
  'any thrown value arrives as an error: %o',
  (thrown) => {
    expect(travel(thrown).constructor).toBe(Error);
  },
);
