import type { Caller } from '../../access/api-key.ts';
import type { MaybePromise } from '../../base/maybe-promise.ts';
import type { IdSource } from '../../base/time-ordered-id.ts';
import {
  type AlsoCounted,
  type Answer,
  type CallerAccess,
  isCallerAccess,
  type Operation,
  type OperationDeclaration,
} from './operation.ts';
import { createValidation, type RawRequest, type ValidRequest } from './validation.ts';

/** What an `OperationRequest` is to the server, which does not know the operation's schemas. */
export interface AcceptedRequest extends ValidRequest {
  readonly caller: Caller | undefined;
  readonly ids: IdSource | undefined;
  readonly requestId: string;
  readonly address: string;
  readonly origin: string;
}

/** An operation together with what it needs to answer requests. */
export interface Endpoint
  extends Pick<
    OperationDeclaration,
    'method' | 'path' | 'counts' | 'headers' | 'body' | 'subjectField' | 'answer' | 'readsOnly'
  > {
  alsoCounts?(body: unknown): AlsoCounted | undefined;
  readonly access: 'public' | { readonly secret: string } | CallerAccess;
  /** Throws the AppError of the first part that does not fit. */
  readonly validate: (raw: RawRequest) => ValidRequest;
  readonly handle: (request: AcceptedRequest) => MaybePromise<Answer>;
}

/** The endpoints of an installation; without operations that it does not have. */
export function toEndpoints<Ports>(operations: readonly Operation<Ports>[], ports: Ports): Endpoint[] {
  return operations
    .filter(({ served }) => served?.(ports) !== false)
    .map((operation) => toEndpoint(operation, ports));
}

function toEndpoint<Ports>(operation: Operation<Ports>, ports: Ports): Endpoint {
  const { access, counts } = operation;
  if ((counts === 'uncounted' || counts === 'health') && access !== 'public' && isCallerAccess(access))
    throw new Error(`an operation that counts as ${counts} is not for callers`);
  return {
    ...operation,
    access: access !== 'public' && 'secret' in access ? { secret: access.secret(ports)! } : access,
    validate: createValidation(operation),
    handle: operation.handle(ports) as unknown as Endpoint['handle'],
  };
}
