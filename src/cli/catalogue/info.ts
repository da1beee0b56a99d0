import { Command } from 'commander';
import { count, counted } from '../../base/texts.ts';
import type { CatalogueInfo, CatalogueSegment } from '../../foods/catalogue/catalogue-info.ts';
import { readCatalogueInfo } from '../../foods/catalogue/load-catalogue.ts';
import { commandConfig } from '../terminal/command-config.ts';
import { chosenFile } from '../terminal/file-arguments.ts';
import { size } from '../terminal/format.ts';
import { printResult, type Terminal } from '../terminal/terminal.ts';

export function catalogueInfoCommand(terminal: Terminal): Command {
  return new Command('info')
    .description('Show what a catalogue contains and which imports it was compiled from.')
    .argument('[name-or-file]', 'name of a stored catalogue, or a path; default: the catalogue in use')
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      '\nExamples:\n  larder catalogue info\n  larder catalogue info backup.catalogue --json',
    )
    .action(async (choice: string | undefined, { json }: { json?: true }) => {
      const file = await chosenFile(commandConfig(terminal).config, choice);
      const info = await readCatalogueInfo(file);
      printResult(terminal, json, { file, ...info }, toText(file, info));
    });
}

function toText(file: string, info: CatalogueInfo): string {
  const origins = Object.entries(info.origins).map(
    ([origin, { foods, knownProducts }]) =>
      `  ${origin.padEnd(10)} ${counted(foods, 'food')}, ${count(knownProducts)} known`,
  );
  const lines = [
    `file       ${file}`,
    `made       ${new Date(info.createdAt).toISOString()}`,
    `size       ${size(info.bytes)}, format version ${info.formatVersion}, checksum ${info.checksum}`,
    `foods      ${count(info.foods)}`,
    `known      ${counted(info.knownProducts, 'product')} that a barcode look-up can name but not serve`,
    'origins',
    ...origins,
    'compiled from',
    ...info.segments.map(toSegmentLine),
  ];
  return `${lines.join('\n')}\n`;
}

function toSegmentLine({ name, importedAt, foods, sources }: CatalogueSegment): string {
  const from = sources.join(', ');
  return `  ${name}  imported ${new Date(importedAt * 1000).toISOString()}  ${counted(foods, 'food')}  from ${from}`;
}
