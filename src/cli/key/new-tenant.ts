import { createInterface } from 'node:readline/promises';
import { OperatorError } from '@larder/core/errors.ts';
import type { TenantDirectory } from '../../access/tenant-directory.ts';
import { editsBetween } from '../../base/texts.ts';
import { type Terminal, tell } from '../terminal/terminal.ts';

/** Maximum number of different letters of a suggested name. */
const MAX_EDITS = 2;
const MAX_NAMED = 5;

/**
 * Prevents tenants that are created by a typing error: asks on a terminal, otherwise throws an
 * `OperatorError`. The first tenant needs no confirmation.
 */
export async function confirmNewTenant(
  terminal: Terminal,
  directory: TenantDirectory,
  tenant: string,
): Promise<void> {
  const names: string[] = [];
  for await (const { name } of directory.tenants(Date.now() / 1000)) {
    if (name === tenant) return;
    names.push(name);
  }
  if (names.length === 0) return;
  const isNew = `There is no tenant ${tenant} yet. ${describe(tenant, names)}`;
  if (await isConfirmed(terminal, `${isNew} Create it? [y/N] `)) return;
  throw new OperatorError(`${isNew} To create it, add --new-tenant.`);
}

/** Lists similar tenants, or some of the existing ones. */
function describe(tenant: string, names: readonly string[]): string {
  const [typed, maxEdits] = [tenant.toLowerCase(), Math.min(MAX_EDITS, Math.ceil(tenant.length / 3))];
  const similar = names.filter((name) => editsBetween(name.toLowerCase(), typed) <= maxEdits);
  if (similar.length > 0) return `Similar: ${similar.slice(0, MAX_NAMED).join(', ')}.`;
  const others =
    names.length > MAX_NAMED ? `, and ${names.length - MAX_NAMED} more (larder tenant list)` : '';
  return `Existing: ${names.slice(0, MAX_NAMED).join(', ')}${others}.`;
}

/** False if nobody can be asked. */
async function isConfirmed(terminal: Terminal, question: string): Promise<boolean> {
  const { in: input, err } = terminal;
  if (input === undefined || !isTerminal(input) || !isTerminal(err)) return false;
  const questions = createInterface({ input, output: err });
  // Ctrl-C and Ctrl-D end the question without an answer.
  const ended = new AbortController();
  questions.once('SIGINT', () => questions.close());
  questions.once('close', () => ended.abort());
  try {
    return /^y(es)?$/i.test((await questions.question(question, { signal: ended.signal })).trim());
  } catch (error) {
    if (!ended.signal.aborted) throw error;
    tell(terminal, '\n');
    return false;
  } finally {
    questions.close();
  }
}

function isTerminal(stream: NodeJS.ReadableStream | NodeJS.WritableStream): boolean {
  return (stream as { readonly isTTY?: boolean }).isTTY === true;
}
