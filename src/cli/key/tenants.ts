import { Command, Option } from 'commander';
import type { Tenant } from '../../access/tenant-directory.ts';
import { columns } from '../terminal/format.ts';
import { print, type Terminal, tell } from '../terminal/terminal.ts';
import { parseTenant } from './options.ts';
import { withKeys } from './session.ts';

const PAGE_SIZE = 1_000;

export function tenantCommand(terminal: Terminal): Command {
  const list = new Command('list')
    .description('List the tenants that have keys or users.')
    .option('--json', 'print one JSON array')
    .addHelpText('after', '\nExample:\n  larder tenant list')
    .action(({ json }: { json?: true }) =>
      withKeys(terminal, async ({ tenants }) => {
        const found: Tenant[] = [];
        for await (const tenant of tenants.tenants(Date.now() / 1000)) found.push(tenant);
        const rows = found.map(({ name, liveKeys, users }) => [name, String(liveKeys), String(users)]);
        if (json) print(terminal, `${JSON.stringify(found)}\n`);
        else if (rows.length > 0) print(terminal, columns([['tenant', 'valid keys', 'users'], ...rows]));
        else tell(terminal, 'There are no tenants; `larder key create` makes the first one.\n');
      }),
    );
  return new Command('tenant').description('List tenants.').addCommand(list);
}

export function userCommand(terminal: Terminal): Command {
  const list = new Command('list')
    .description('List the users of a tenant who have entries, recipes or goals, by id.')
    .addOption(new Option('--tenant <name>', 'the tenant').makeOptionMandatory().argParser(parseTenant))
    .option('--json', 'print a JSON line for each user')
    .addHelpText('after', '\nExample:\n  larder user list --tenant acme')
    .action(({ tenant, json }: { tenant: string; json?: true }) =>
      withKeys(terminal, async ({ tenants }) => {
        let after = '';
        for (;;) {
          const page = await tenants.users(tenant, { after, limit: PAGE_SIZE });
          print(terminal, page.map((user) => `${json ? JSON.stringify(user) : user.id}\n`).join(''));
          if (after === '' && page.length === 0)
            tell(terminal, `Tenant ${tenant} has no users with a diary.\n`);
          if (page.length < PAGE_SIZE) return;
          after = page.at(-1)!.id;
        }
      }),
    );
  return new Command('user').description('List users.').addCommand(list);
}
