import { Command, Option } from 'commander';
import { COMPOSITION_ORIGINS, type CompositionOrigin } from '../../foods/import/composition-food.ts';
import { readCompositionFile } from '../../foods/import/composition-source.ts';
import type { ImportSource } from '../../foods/import/import-run.ts';
import { inspectSourceFile } from '../../foods/import/readers/source-file.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { type ImportCommandOptions, importFoods, withImportOptions } from './import-session.ts';

interface CompositionOptions extends ImportCommandOptions {
  readonly origin: CompositionOrigin;
}

export function importCompositionCommand(terminal: Terminal): Command {
  return withImportOptions(new Command('composition'))
    .description(
      'Import a national food composition table: Ciqual (France) or BLS (Germany), saved as CSV or JSON.',
    )
    .argument('<files...>', 'tables to import: CSV or JSON, also with gzip')
    .addOption(
      new Option('--origin <name>', 'which table it is').choices(COMPOSITION_ORIGINS).makeOptionMandatory(),
    )
    .addHelpText(
      'after',
      `
Examples:
  larder import composition ciqual.csv --origin ciqual
  larder import composition bls_2025.json.gz --origin bls --replace`,
    )
    .action((files: readonly string[], options: CompositionOptions) =>
      importFoods(terminal, options.origin, options, async () => ({
        sources: await Promise.all(files.map((path) => tableSource(path, options.origin))),
      })),
    );
}

async function tableSource(path: string, origin: CompositionOrigin): Promise<ImportSource> {
  const file = await inspectSourceFile(path);
  return {
    name: file.name,
    sizeBytes: file.sizeBytes,
    read: (sink, onBytesRead, signal) => readCompositionFile(file, origin, sink, { onBytesRead, signal }),
  };
}
