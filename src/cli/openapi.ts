import { writeFile } from 'node:fs/promises';
import { Command } from 'commander';
import { fileError } from '../files/file-errors.ts';
import { describedApi } from '../http/openapi/described-api.ts';
import { print, type Terminal } from './terminal/terminal.ts';

/** `larder openapi`: prints the OpenAPI document that the service serves. */
export function openApiCommand(terminal: Terminal): Command {
  return new Command('openapi')
    .description('Write the OpenAPI 3.1 document of the HTTP interface.')
    .option('--out <file>', 'write to this file instead of standard output')
    .addHelpText('after', '\nExamples:\n  larder openapi\n  larder openapi --out openapi.json')
    .action(async ({ out }: { out?: string }) => {
      const text = `${JSON.stringify(describedApi(), null, 2)}\n`;
      if (out === undefined) print(terminal, text);
      else await write(out, text);
    });
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (error) {
    throw fileError(`Cannot write ${file}`, error);
  }
}
