import { createProgram } from './cli/program.ts';
import { OperatorError } from './errors.ts';

try {
  await createProgram({ env: process.env, out: process.stdout, err: process.stderr }).parseAsync(
    process.argv,
  );
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`larder: ${error.message}\n`);
  process.exitCode = 1;
}
