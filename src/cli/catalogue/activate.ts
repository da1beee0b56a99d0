import { Command } from 'commander';
import type { Terminal } from '../terminal/terminal.ts';
import { noSuchVersion, withPublished } from './published-session.ts';

export function catalogueActivateCommand(terminal: Terminal): Command {
  return new Command('activate')
    .description(
      'Make all nodes of the cluster answer from a published catalogue. Each swaps to it when it has fetched it, ' +
        'without dropping a request.',
    )
    .argument('<name>', 'a name that `larder catalogue list --published` shows')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  larder catalogue activate 20260421-101500-1a2b3c4d')
    .action((name: string, { json }: { json?: true }) =>
      withPublished(terminal, async ({ versions }) => {
        const activation = await versions.activate(name);
        if (activation === undefined) throw noSuchVersion(name);
        terminal.out.write(json ? `${JSON.stringify(activation)}\n` : `${name} is active.\n`);
      }),
    );
}
