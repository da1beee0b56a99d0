import { OperatorError } from '@larder/core/errors.ts';
import { Command, Option } from 'commander';
import { pageAddress } from '../../app/people.ts';
import { Household } from '../../people/household.ts';
import { ROLES, type Role } from '../../people/person.ts';
import { print, type Terminal, tell, throwAsUsageError } from '../terminal/terminal.ts';
import { withUsers } from './session.ts';

export function userInviteCommand(terminal: Terminal): Command {
  return new Command('invite')
    .description('Make a link by which one person can join the household within 7 days.')
    .addOption(new Option('--role <role>', 'role of the person').choices(ROLES).default('member'))
    .option('--json', 'print the invitation as one JSON object')
    .addHelpText('after', '\nExamples:\n  larder user invite\n  larder user invite --role owner --json')
    .action(({ role, json }: { role: Role; json?: true }) =>
      withUsers(terminal, async ({ config, people, household: store, nowMs }) => {
        if (role === 'member' && !(await people.hasPeople()))
          throw new OperatorError('There is no owner yet; invite one with --role owner.');
        const household = new Household({ store, nowMs, erase: async () => {} });
        const { id, link, expiresAtMs } = await household.invite(role, 'cli').catch(throwAsUsageError);
        const url = `${pageAddress(config)}/welcome#link=${link}`;
        const expiresAt = new Date(expiresAtMs).toISOString();
        if (json) return print(terminal, `${JSON.stringify({ id, role, url, expiresAt })}\n`);
        tell(terminal, `The first person who opens this link joins as ${role}, until ${expiresAt}:\n`);
        print(terminal, `${url}\n`);
      }),
    );
}
