import { Command } from 'commander';
import { OPEN_SOURCE } from '../../app/operator/import-files.ts';
import type { Terminal } from '../terminal/terminal.ts';
import {
  type FetchCommandOptions,
  fetchNewest,
  importFoods,
  withFetchOptions,
  withImportOptions,
} from './import-session.ts';

export function importOffCommand(terminal: Terminal): Command {
  return withFetchOptions(withImportOptions(new Command('off')))
    .description(
      'Import exports of Open Food Facts: all products, those of a country or of a search, plain or gzip.',
    )
    .argument(
      '[files...]',
      'exports to import, in this order; default: the newest full export, which is downloaded',
    )
    .addHelpText(
      'after',
      `
Examples:
  larder import off
  larder import off openfoodfacts-products.jsonl.gz
  larder import off food.parquet --replace --report report.json
  larder import off monday.jsonl tuesday.jsonl --keep-current`,
    )
    .action((files: readonly string[], options: FetchCommandOptions) =>
      importFoods(terminal, 'off', options, async (config, progress) =>
        files.length > 0
          ? { sources: await Promise.all(files.map(OPEN_SOURCE.off)) }
          : fetchNewest({ terminal, config, origin: 'off', progress }),
      ),
    );
}
