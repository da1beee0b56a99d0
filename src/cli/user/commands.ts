import { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { userInviteCommand } from './invite.ts';
import { userListCommand } from './list.ts';
import { userPasswordCommand } from './password.ts';
import { userRemoveCommand } from './remove.ts';

export function userCommand(terminal: Terminal): Command {
  return new Command('user')
    .description('Invite, list and remove people of the household, and list the users of tenants.')
    .addCommand(userInviteCommand(terminal))
    .addCommand(userListCommand(terminal))
    .addCommand(userRemoveCommand(terminal))
    .addCommand(userPasswordCommand(terminal));
}
