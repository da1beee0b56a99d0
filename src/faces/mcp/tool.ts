import { AppError, type ErrorCode } from '@larder/core/errors.ts';
import type { z } from 'zod';
import type { Caller, Scope } from '../../access/api-key.ts';
import type { Operation, OperationRequest } from '../../api/operation.ts';
import type { CalledReply, CallParts } from '../../api/operation-call.ts';
import { invalidField } from '../../diary/records/invalid-field.ts';
import type { Scans } from '../../scan/jobs/scans.ts';
import type { DayContext } from './days.ts';
import { aboutArguments } from './tool-errors.ts';

/** Values that a tool works with during one call. */
export interface ToolContext extends DayContext {
  readonly caller: Caller;
  /** The user of the call: that of the token or connection, else the argument. */
  readonly userId: string | undefined;
  readonly call: OperationRequest['call'];
  readonly left: AbortSignal;
  readonly scans: Scans;
}

export interface Tool {
  readonly name: string;
  readonly title: string;
  /** Text for a model: what the tool does, never instructions for the model. */
  readonly description: string;
  /** Without this scope the tool is neither listed nor executed. */
  readonly scope: Scope;
  /** Whether it uses a user's data, finds this user's foods too, or neither. */
  readonly user: 'required' | 'optional' | 'none';
  readonly annotations: {
    readonly readOnlyHint: boolean;
    readonly destructiveHint?: boolean;
    readonly idempotentHint?: boolean;
    readonly openWorldHint: boolean;
  };
  readonly input: z.ZodObject;
  readonly output: z.ZodObject;
  run(input: never, context: ToolContext): Promise<object>;
}

/** Declares a tool; `run` gets the parsed arguments. */
export function tool<Input extends z.ZodObject, Output extends z.ZodObject>(
  declared: Omit<Tool, 'input' | 'output' | 'run'> & {
    readonly input: Input;
    readonly output: Output;
    run(input: z.output<Input>, context: ToolContext): Promise<z.input<Output>>;
  },
): Tool {
  return declared as unknown as Tool;
}

export const READS = { readOnlyHint: true, openWorldHint: false } as const;
/** Writes that add; repeating the same call adds nothing. */
export const ADDS = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;
/** Writes that replace or remove existing data. */
export const REPLACES = { ...ADDS, destructiveHint: true } as const;

/** Declarations of tools that read a diary, add to it, and change it. */
export const readsDiary = { scope: 'diary:read', user: 'required', annotations: READS } as const;
export const addsToDiary = { scope: 'diary:write', user: 'required', annotations: ADDS } as const;
export const changesDiary = { ...addsToDiary, annotations: REPLACES } as const;

const FIRST_ERROR = 400;

interface ErrorBody {
  readonly error: {
    readonly code: ErrorCode;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

/** Calls an operation, and throws its error. The types are those that the operation declares. */
export async function ask<Value>(
  { call }: ToolContext,
  operation: Operation<never>,
  parts: CallParts,
): Promise<Value> {
  return answered<Value>(await call(operation, parts));
}

/** Returns the answer of an operation, or throws its error. */
export function answered<Value>({ status, value }: CalledReply): Value {
  if (status >= FIRST_ERROR) throw aboutArguments(AppError.remade((value as ErrorBody).error));
  return value as Value;
}

/** The parameters of a path with a user. */
export function ofUser({ userId }: ToolContext): { readonly userId: string } {
  if (userId === undefined) {
    throw invalidField(
      'userId',
      'An API key acts for many users: give "userId", or use a token or a connection of one user.',
    );
  }
  return { userId };
}

/** The user for operations that find a user's foods too; only if the credential may read what the user eats. */
export function alsoOfUser({ userId, caller }: ToolContext): { readonly userId: string | undefined } {
  return { userId: caller.scopes.includes('diary:read') ? userId : undefined };
}
