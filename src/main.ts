import { createProgram } from './cli/program.ts';
import { OperatorError } from './errors.ts';

try {
  const { env, stdin, stdout, stderr } = process;
  await createProgram({ env, in: stdin, out: stdout, err: stderr }).parseAsync(process.argv);
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`larder: ${error.message}\n`);
  process.exitCode = 1;
}
