import type { MaybePromise } from '../../src/base/maybe-promise.ts';
import type { AcceptedRequest } from '../../src/http/server/endpoint.ts';
import type { Answer, Operation } from '../../src/http/server/operation.ts';

interface Declared extends Pick<Operation<unknown>, 'method' | 'path' | 'params' | 'body'> {
  readonly access?: Operation<unknown>['access'];
  readonly handle: (request: AcceptedRequest) => MaybePromise<Answer>;
}

/** An operation that no service has; public unless it says otherwise. */
export function testOperation({ handle, ...declared }: Declared): Operation<unknown> {
  return {
    access: 'public',
    ...declared,
    id: 'test',
    summary: 'A test',
    counts: 'other',
    answer: { description: 'Whatever the test wants.' },
    handle: () => (request) => handle(request as unknown as AcceptedRequest),
  };
}
