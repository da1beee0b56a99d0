import { PassThrough } from 'node:stream';
import { createProgram } from '../../src/cli/program.ts';

/** Runs one command in this process, returns its output and throws its errors. */
export async function runLarder(env: Readonly<Record<string, string>>, ...words: string[]): Promise<string> {
  const [out, err] = [new PassThrough(), new PassThrough()];
  await (await createProgram({ env, out, err })).parseAsync(['node', 'larder', ...words]);
  return out.setEncoding('utf8').read() ?? '';
}
