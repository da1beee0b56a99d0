import { CommanderError } from 'commander';
import { OperatorError, OutageError, UsageError } from '../errors.ts';
import { createProgram, settleHelp } from './program.ts';
import { tell } from './terminal/terminal.ts';

/** Exit code of a command line that cannot be meant so. */
const WRONG_USAGE = 2;

// The reader of the output may stop early, like `head`. The command still finishes, because it may have to clean up.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  const { env, stdin, stdout, stderr, argv } = process;
  const program = await createProgram({ env, in: stdin, out: stdout, err: stderr }, argv[2]);
  await program.parseAsync(settleHelp(program, argv.slice(2)), { from: 'user' });
} catch (error) {
  if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : WRONG_USAGE;
  else if (error instanceof OperatorError || error instanceof OutageError) {
    tell({ err: process.stderr }, `larder: ${error.message}\n`);
    process.exitCode = error instanceof UsageError ? WRONG_USAGE : 1;
  } else throw error;
}
