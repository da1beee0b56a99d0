import { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { keyCreateCommand } from './create.ts';
import { keyLimitsCommand } from './limits.ts';
import { keyListCommand } from './list.ts';
import { keyRevokeCommand, keyRotateCommand } from './revoke.ts';

export function keyCommand(terminal: Terminal): Command {
  return new Command('key')
    .description('Create, list, change, revoke and rotate API keys.')
    .addCommand(keyCreateCommand(terminal))
    .addCommand(keyListCommand(terminal))
    .addCommand(keyLimitsCommand(terminal))
    .addCommand(keyRevokeCommand(terminal))
    .addCommand(keyRotateCommand(terminal));
}
