import { Command, Option } from 'commander';
import { parseTenant } from '../key/options.ts';
import { columns } from '../terminal/format.ts';
import { print, type Terminal, tell } from '../terminal/terminal.ts';
import { withUsers } from './session.ts';

const PAGE_SIZE = 1_000;

export function userListCommand(terminal: Terminal): Command {
  return new Command('list')
    .description(
      'List the people of the household; with --tenant the users of a tenant who have entries, recipes or goals.',
    )
    .addOption(new Option('--tenant <name>', 'the users of this tenant, by id').argParser(parseTenant))
    .option('--json', 'print a JSON line for each')
    .addHelpText('after', '\nExamples:\n  larder user list\n  larder user list --tenant acme')
    .action(({ tenant, json }: { tenant?: string; json?: true }) =>
      tenant === undefined ? listPeople(terminal, json) : listUsers(terminal, tenant, json),
    );
}

function listPeople(terminal: Terminal, json: true | undefined): Promise<void> {
  return withUsers(terminal, async ({ household }) => {
    const people = (await household.listPeople()).map(({ createdAtMs, ...person }) => ({
      ...person,
      createdAt: new Date(createdAtMs).toISOString(),
    }));
    if (json) print(terminal, people.map((person) => `${JSON.stringify(person)}\n`).join(''));
    else if (people.length > 0) {
      const rows = people.map(({ id, name, role, createdAt }) => [id, role, createdAt, name]);
      print(terminal, columns([['id', 'role', 'joined', 'name'], ...rows]));
    } else tell(terminal, 'There are no people yet; `larder serve` shows the link of the first owner.\n');
  });
}

function listUsers(terminal: Terminal, tenant: string, json: true | undefined): Promise<void> {
  return withUsers(terminal, async ({ tenants }) => {
    let after = '';
    for (;;) {
      const page = await tenants.users(tenant, { after, limit: PAGE_SIZE });
      print(terminal, page.map((user) => `${json ? JSON.stringify(user) : user.id}\n`).join(''));
      if (after === '' && page.length === 0) tell(terminal, `Tenant ${tenant} has no users with a diary.\n`);
      if (page.length < PAGE_SIZE) return;
      after = page.at(-1)!.id;
    }
  });
}
