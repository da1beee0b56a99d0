import { z } from 'zod';
import { MAX_BODY_BYTES } from '../../src/api/body-limits.ts';
import { testOperation } from './test-operation.ts';

/** Reads a JSON body, and returns it. */
export const ECHO_OPERATION = testOperation({
  method: 'POST',
  path: '/test/echo',
  body: { schema: z.unknown(), limit: MAX_BODY_BYTES },
  handle: ({ body }) => JSON.stringify(body),
});
