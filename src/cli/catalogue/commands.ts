import { Command } from 'commander';
import { importDiaryCommand } from '../own-data/import-diary.ts';
import { importFoodsCommand } from '../own-data/import-foods.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { catalogueActivateCommand, catalogueRollbackCommand } from './activate.ts';
import { importFdcCommand } from './import-fdc.ts';
import { importOffCommand } from './import-off.ts';
import { importStarterCommand } from './import-starter.ts';
import { importCompositionCommand, importTableCommand } from './import-table.ts';
import { catalogueInfoCommand } from './info.ts';
import { catalogueListCommand } from './list.ts';
import { cataloguePublishCommand } from './publish.ts';
import { catalogueRebuildCommand } from './rebuild.ts';
import { catalogueUseCommand } from './use.ts';
import { catalogueVerifyCommand } from './verify.ts';

export function catalogueCommand(terminal: Terminal): Command {
  return new Command('catalogue')
    .description('Show, verify, switch, rebuild and publish the compiled catalogues of foods.')
    .addCommand(catalogueInfoCommand(terminal))
    .addCommand(catalogueListCommand(terminal))
    .addCommand(catalogueUseCommand(terminal))
    .addCommand(catalogueRebuildCommand(terminal))
    .addCommand(catalogueVerifyCommand(terminal))
    .addCommand(cataloguePublishCommand(terminal))
    .addCommand(catalogueActivateCommand(terminal))
    .addCommand(catalogueRollbackCommand(terminal));
}

export function importCommand(terminal: Terminal): Command {
  return new Command('import')
    .description(
      'Import foods from public data sets or those that ship with Larder, or the diary and foods of a user.',
    )
    .addCommand(importOffCommand(terminal))
    .addCommand(importFdcCommand(terminal))
    .addCommand(importTableCommand(terminal))
    .addCommand(importCompositionCommand(terminal))
    .addCommand(importStarterCommand(terminal))
    .addCommand(importDiaryCommand(terminal))
    .addCommand(importFoodsCommand(terminal));
}
