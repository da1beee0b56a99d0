import { PassThrough } from 'node:stream';
import { expect } from 'vitest';
import { ALL_CHECKS } from '../../src/check/checks/all-checks.ts';
import { createProgram } from '../../src/cli/program.ts';

/** Scan checks wait for a worker, which loads its models first. */
export const CHECK_TIMEOUT_MS = 600_000;

/** Fails unless every check of `larder check` passes and the command exits with 0. */
export async function expectEveryCheckToPass(url: string, key: string): Promise<void> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  const program = await createProgram({ env: { LARDER_KEY: key }, out, err });
  const problem = await program
    .parseAsync(['node', 'larder', 'check', url, '--json', '--patience', '20'])
    .then(
      () => undefined,
      (error: Error) => error.message,
    );
  const text: string = out.setEncoding('utf8').read() ?? '';
  const results = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
  expect({ problem, results }).toEqual({
    problem: undefined,
    results: ALL_CHECKS.map(({ name }) => ({ name, outcome: 'passed', ms: expect.any(Number) })),
  });
}
