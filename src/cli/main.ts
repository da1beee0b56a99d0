import { OperatorError, OutageError, UsageError } from '@larder/core/errors.ts';
import { CommanderError } from 'commander';
import { fileError } from '../files/file-errors.ts';
import { createProgram, settleHelp } from './program.ts';
import { tell } from './terminal/terminal.ts';

/** Exit code of an invalid command line. */
const WRONG_USAGE = 2;

// The reader of the output may stop early, like `head`, or the disk of the output may be full. The command still finishes,
// because it may have to clean up.
for (const stream of [process.stdout, process.stderr]) {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    if (stream === process.stdout) endWith(fileError('Cannot write the output', error));
    else process.exitCode ??= 1;
  });
}

try {
  const { env, stdin, stdout, stderr, argv } = process;
  const program = await createProgram({ env, in: stdin, out: stdout, err: stderr }, argv[2]);
  await program.parseAsync(settleHelp(program, argv.slice(2)), { from: 'user' });
} catch (error) {
  if (!(error instanceof CommanderError)) endWith(error);
  else if (error.exitCode !== 0) process.exitCode = WRONG_USAGE;
}

function endWith(thrown: unknown): void {
  const error = aboutFile(thrown);
  if (!(error instanceof OperatorError || error instanceof OutageError)) throw error;
  process.exitCode = error instanceof UsageError ? WRONG_USAGE : 1;
  tell({ err: process.stderr }, `larder: ${error.message}\n`);
}

/**
 * Names the file of a file error, since files written by root, such as by an import with sudo, may be unreadable for
 * the service's user.
 */
function aboutFile(error: unknown): unknown {
  const { syscall, path } = error as NodeJS.ErrnoException;
  return syscall === undefined || path === undefined ? error : fileError(`Cannot use ${path}`, error);
}
