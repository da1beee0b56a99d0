import { OperatorError, OutageError } from '../errors.ts';
import { createProgram } from './program.ts';
import { tell } from './terminal/terminal.ts';

// The reader of the output may stop early, like `head`. The command still finishes, because it may have to clean up.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

try {
  const { env, stdin, stdout, stderr, argv } = process;
  const program = await createProgram({ env, in: stdin, out: stdout, err: stderr }, argv[2]);
  await program.parseAsync(argv);
} catch (error) {
  if (!(error instanceof OperatorError || error instanceof OutageError)) throw error;
  tell({ err: process.stderr }, `larder: ${error.message}\n`);
  process.exitCode = 1;
}
