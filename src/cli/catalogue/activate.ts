import { OperatorError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { printResult, type Terminal } from '../terminal/terminal.ts';
import { noSuchVersion, withPublished } from './published-session.ts';

export function catalogueActivateCommand(terminal: Terminal): Command {
  return new Command('activate')
    .description(
      'Switch all nodes of the cluster to a published catalogue. Each node switches when it has fetched the catalogue, ' +
        'without dropping a request.',
    )
    .argument('<name>', 'a name that `larder catalogue list --published` shows')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  larder catalogue activate 20260421-101500-1a2b3c4d')
    .action((name: string, { json }: { json?: true }) =>
      withPublished(terminal, async ({ versions }) => {
        const activation = await versions.activate(name);
        if (activation === undefined) throw noSuchVersion(name);
        printResult(terminal, json, activation, `${name} is active.\n`);
      }),
    );
}

export function catalogueRollbackCommand(terminal: Terminal): Command {
  return new Command('rollback')
    .description(
      'Switch all nodes of the cluster back to the catalogue that was active before. Run it again to go back further.',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  larder catalogue rollback')
    .action(({ json }: { json?: true }) =>
      withPublished(terminal, async ({ versions }) => {
        const activation = await versions.rollBack();
        if (activation === undefined) {
          throw new OperatorError(
            'There is no catalogue to go back to: none was active before, or it was removed.',
          );
        }
        printResult(terminal, json, activation, `${activation.name} is active again.\n`);
      }),
    );
}
