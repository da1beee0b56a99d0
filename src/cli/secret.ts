import { Command } from 'commander';
import { rotateSecret } from '../app/rotate-secret.ts';
import { commandConfig } from './terminal/command-config.ts';
import { printResult, type Terminal } from './terminal/terminal.ts';

/** `larder secret rotate`: replaces the secret that seals others in the database. */
export function secretCommand(terminal: Terminal): Command {
  const rotate = new Command('rotate')
    .description(
      'Seal signing keys and secrets of webhooks by a new secret. Stop the service first; in a cluster, or with LARDER_SECRET, ' +
        'set the new one as LARDER_SECRET and the old one as LARDER_SECRET_PREVIOUS before.',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  larder secret rotate')
    .action(async ({ json }: { json?: true }) => {
      const sealed = await rotateSecret(commandConfig(terminal).config);
      const lost =
        sealed.lost > 0 ? ` ${sealed.lost} could not be opened; webhooks among them need new secrets.` : '';
      printResult(terminal, json, sealed, `${sealed.sealed} secrets are sealed by the new one.${lost}\n`);
    });
  return new Command('secret')
    .description('The secret that seals others in the database.')
    .addCommand(rotate);
}
