import { writeFile } from 'node:fs/promises';
import { Command, Option } from 'commander';
import { fileError } from '../files/file-errors.ts';
import { describedApi } from '../http/openapi/described-api.ts';
import { type ApiVariant, DOCUMENT_FILES } from '../http/openapi/document-files.ts';
import { print, type Terminal } from './terminal/terminal.ts';

/** `larder openapi`: prints the OpenAPI documents that the service serves. */
export function openApiCommand(terminal: Terminal): Command {
  return new Command('openapi')
    .description('Write the OpenAPI 3.1 document of the HTTP interface.')
    .addOption(
      new Option('--variant <name>', 'paths under /v1 and of the service, or the unversioned ones')
        .choices(Object.keys(DOCUMENT_FILES))
        .default('versioned'),
    )
    .option('--out <file>', 'write to this file instead of standard output')
    .addHelpText(
      'after',
      '\nExamples:\n  larder openapi --out openapi.json\n  larder openapi --variant unversioned',
    )
    .action(async ({ out, variant }: { out?: string; variant: ApiVariant }) => {
      const text = `${JSON.stringify(describedApi(variant), null, 2)}\n`;
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
