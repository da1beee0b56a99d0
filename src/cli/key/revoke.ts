import { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { noSuchKey, toJson, withKeys } from './session.ts';

export function keyRevokeCommand(terminal: Terminal): Command {
  return new Command('revoke')
    .description('Refuse an API key from now on; a running service feels it within a second.')
    .argument('<id>', 'id of the key, as "larder key list" shows it')
    .option('--json', 'print the key as one JSON object')
    .addHelpText('after', '\nExample:\n  larder key revoke 1xUf0O1ZNLc9')
    .action(async (id: string, { json }: { json?: true }) => {
      await withKeys(terminal, async ({ issuer }) => {
        const key = await issuer.revoke(id);
        if (key === undefined) throw noSuchKey(id);
        terminal.out.write(json ? `${JSON.stringify(toJson(key))}\n` : `Key ${id} is revoked.\n`);
      });
    });
}
