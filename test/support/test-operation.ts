import type { Answer, Operation, OperationRequest } from '../../src/api/operation.ts';

interface Declared extends Pick<Operation<unknown>, 'method' | 'path' | 'params' | 'body'> {
  readonly access?: Operation<unknown>['access'];
  handle(request: OperationRequest): Answer | Promise<Answer>;
}

/** An operation for tests only; public unless stated otherwise. */
export function testOperation({ handle, ...declared }: Declared): Operation<unknown> {
  return {
    access: 'public',
    ...declared,
    id: 'test',
    summary: 'A test',
    counts: 'other',
    answer: { description: 'Whatever the test wants.' },
    handle: async (request) => handle(request),
  };
}
