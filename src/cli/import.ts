import { Command } from 'commander';
import { importCompositionCommand } from './import/composition.ts';
import { importFdcCommand } from './import/fdc.ts';
import { importOffCommand } from './import/off.ts';
import { importStarterCommand } from './import/starter.ts';
import type { Terminal } from './terminal/terminal.ts';

export function importCommand(terminal: Terminal): Command {
  return new Command('import')
    .description('Fill the catalogue from public collections of foods, or with those that ship.')
    .addCommand(importOffCommand(terminal))
    .addCommand(importFdcCommand(terminal))
    .addCommand(importCompositionCommand(terminal))
    .addCommand(importStarterCommand(terminal));
}
