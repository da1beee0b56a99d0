import { type Answered, type Asking, LarderError, type OperationName } from 'larder-client';
import { larder } from '../larder.ts';

/** Calls an operation without a client method. If the service requires a recent proof, the person is asked for it. */
export function ask<Name extends OperationName>(
  name: Name,
  ...asking: Asking<Name>
): Promise<Answered<Name>> {
  return withProof(() => larder.ask(name, ...asking));
}

let askPerson: (methods: readonly string[]) => Promise<boolean> = async () => false;

/** Sets the function that asks the person for a proof. */
export function proveWith(asking: typeof askPerson): void {
  askPerson = asking;
}

/** Asks the person for a proof if the service requires one, then repeats the call. */
export async function withProof<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof LarderError) || error.code !== 'confirmation_required') throw error;
    if (await askPerson(error.details.methods)) return work();
    throw error;
  }
}
