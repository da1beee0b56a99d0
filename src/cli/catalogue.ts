import { Command } from 'commander';
import { catalogueInfoCommand } from './catalogue-info.ts';
import { catalogueListCommand } from './catalogue-list.ts';
import { catalogueUseCommand } from './catalogue-use.ts';
import { catalogueVerifyCommand } from './catalogue-verify.ts';
import type { Terminal } from './terminal.ts';

export function catalogueCommand(terminal: Terminal): Command {
  return new Command('catalogue')
    .description('Look at, check and switch the compiled catalogues of foods.')
    .addCommand(catalogueInfoCommand(terminal))
    .addCommand(catalogueListCommand(terminal))
    .addCommand(catalogueUseCommand(terminal))
    .addCommand(catalogueVerifyCommand(terminal));
}
