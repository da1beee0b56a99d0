import { Command } from 'commander';
import { catalogueInfoCommand } from './catalogue-info.ts';
import { catalogueListCommand } from './catalogue-list.ts';
import { catalogueRebuildCommand } from './catalogue-rebuild.ts';
import { catalogueUseCommand } from './catalogue-use.ts';
import { catalogueVerifyCommand } from './catalogue-verify.ts';
import type { Terminal } from './terminal.ts';

export function catalogueCommand(terminal: Terminal): Command {
  return new Command('catalogue')
    .description('Look at, check, switch and rebuild the compiled catalogues of foods.')
    .addCommand(catalogueInfoCommand(terminal))
    .addCommand(catalogueListCommand(terminal))
    .addCommand(catalogueUseCommand(terminal))
    .addCommand(catalogueRebuildCommand(terminal))
    .addCommand(catalogueVerifyCommand(terminal));
}
