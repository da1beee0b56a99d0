import type { CallOptions } from '../http/options.ts';
import type { Operations } from './methods.gen.ts';

export type OperationName = keyof Operations;
/** The body of an operation, and the parameters of its path and its query. */
export type Asked<Name extends OperationName> = Sent<Pick<Operations[Name][0], 'body' | 'path' | 'query'>>;
/** The type with read-only parts, which may be sent, too. */
type Sent<Value> = unknown extends Value
  ? Value
  : Value extends Blob
    ? Value
    : { readonly [Key in keyof Value]: Sent<Value[Key]> };
/** A call of an operation; what it takes may be left out if nothing of it is required. */
export type Asking<Name extends OperationName> = Operations[Name][2] extends 'optional'
  ? [asked?: Asked<Name>, options?: CallOptions]
  : [asked: Asked<Name>, options?: CallOptions];
export type Answered<Name extends OperationName> = Operations[Name][1];
