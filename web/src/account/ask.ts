import { type Answered, type Asking, LarderError, type OperationName } from 'larder-client';
import { larder } from '../larder.ts';

/** Asks for an operation that the client has no method for, and has the person prove who they are where the service asks for it. */
export function ask<Name extends OperationName>(
  name: Name,
  ...asking: Asking<Name>
): Promise<Answered<Name>> {
  return withProof(() => larder.ask(name, ...asking));
}

let askPerson: (methods: readonly string[]) => Promise<boolean> = async () => false;

/** Sets what asks the person; the dialog itself asks the service. */
export function proveWith(asking: typeof askPerson): void {
  askPerson = asking;
}

/** Has the person prove who they are where the service asks for it, and goes on with what was begun. */
export async function withProof<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LarderError) || error.code !== 'confirmation_required') throw error;
    if (await askPerson(error.details.methods)) return work();
    throw error;
  }
}
