import { Command } from 'commander';
import { catalogueActivateCommand } from './catalogue/activate.ts';
import { catalogueInfoCommand } from './catalogue/info.ts';
import { catalogueListCommand } from './catalogue/list.ts';
import { cataloguePublishCommand } from './catalogue/publish.ts';
import { catalogueRebuildCommand } from './catalogue/rebuild.ts';
import { catalogueRollbackCommand } from './catalogue/rollback.ts';
import { catalogueUseCommand } from './catalogue/use.ts';
import { catalogueVerifyCommand } from './catalogue/verify.ts';
import type { Terminal } from './terminal/terminal.ts';

export function catalogueCommand(terminal: Terminal): Command {
  return new Command('catalogue')
    .description('Look at, check, switch, rebuild and publish the compiled catalogues of foods.')
    .addCommand(catalogueInfoCommand(terminal))
    .addCommand(catalogueListCommand(terminal))
    .addCommand(catalogueUseCommand(terminal))
    .addCommand(catalogueRebuildCommand(terminal))
    .addCommand(catalogueVerifyCommand(terminal))
    .addCommand(cataloguePublishCommand(terminal))
    .addCommand(catalogueActivateCommand(terminal))
    .addCommand(catalogueRollbackCommand(terminal));
}
