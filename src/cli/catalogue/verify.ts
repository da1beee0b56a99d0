import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { counted } from '../../base/texts.ts';
import { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { loadCatalogueImage } from '../../foods/catalogue/load-catalogue.ts';
import { verifyCatalogue } from '../../foods/catalogue/verify-catalogue.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { chosenFile } from '../terminal/file-arguments.ts';
import { printResult, type Terminal } from '../terminal/terminal.ts';

export function catalogueVerifyCommand(terminal: Terminal): Command {
  return new Command('verify')
    .description('Check every byte and every food of a catalogue: checksums, records, ids and barcodes.')
    .argument('[name-or-file]', 'name of a stored catalogue, or a path; default: the catalogue in use')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  larder catalogue verify\n  larder catalogue verify backup.catalogue',
    )
    .action(async (choice: string | undefined, { json }: { json?: true }) => {
      const file = await chosenFile(commandConfig(terminal).config, choice);
      const catalogue = Catalogue.open(await loadCatalogueImage(file));
      const { records, faults, example } = verifyCatalogue(catalogue);
      if (faults > 0) {
        throw new OperatorError(
          `${file}: ${counted(faults, 'fault')} in ${counted(records, 'record')}, for example ${example}.`,
        );
      }
      const { checksum } = catalogue.info;
      printResult(
        terminal,
        json,
        { file, records, checksum },
        `${file} is sound: ${counted(records, 'record')}.\n`,
      );
    });
}
