import { Command } from 'commander';
import { keyCreateCommand } from './key/create.ts';
import { keyListCommand } from './key/list.ts';
import { keyRevokeCommand } from './key/revoke.ts';
import { keyRotateCommand } from './key/rotate.ts';
import type { Terminal } from './terminal/terminal.ts';

export function keyCommand(terminal: Terminal): Command {
  return new Command('key')
    .description('Create, list, revoke and rotate API keys.')
    .addCommand(keyCreateCommand(terminal))
    .addCommand(keyListCommand(terminal))
    .addCommand(keyRevokeCommand(terminal))
    .addCommand(keyRotateCommand(terminal));
}
