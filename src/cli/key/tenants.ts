import { Command } from 'commander';
import type { Tenant } from '../../access/tenant-directory.ts';
import { columns } from '../terminal/format.ts';
import { print, type Terminal, tell } from '../terminal/terminal.ts';
import { withKeys } from './session.ts';

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
