import { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { keyCreateCommand } from './create.ts';
import { keyListCommand } from './list.ts';
import { keyRevokeCommand, keyRotateCommand } from './revoke.ts';

export function keyCommand(terminal: Terminal): Command {
  return new Command('key')
    .description('Create, list, revoke and rotate API keys.')
    .addCommand(keyCreateCommand(terminal))
    .addCommand(keyListCommand(terminal))
    .addCommand(keyRevokeCommand(terminal))
    .addCommand(keyRotateCommand(terminal));
}
