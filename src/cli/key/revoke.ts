import { OperatorError } from '@larder/core/errors.ts';
import { Command, Option } from 'commander';
import { printResult, type Terminal } from '../terminal/terminal.ts';
import { parseDuration } from './options.ts';
import { noSuchKey, printIssued, toJson, withKeys } from './session.ts';

export function keyRevokeCommand(terminal: Terminal): Command {
  return new Command('revoke')
    .description('Revoke an API key. A running service refuses it within a second.')
    .argument('<id>', 'id of the key, as "larder key list" shows it')
    .option('--json', 'print the key as one JSON object')
    .addHelpText('after', '\nExample:\n  larder key revoke 1xUf0O1ZNLc9')
    .action(async (id: string, { json }: { json?: true }) => {
      await withKeys(terminal, async ({ issuer }) => {
        const key = await issuer.revoke(id);
        if (key === undefined) throw noSuchKey(id);
        printResult(terminal, json, toJson(key), `Key ${id} is revoked.\n`);
      });
    });
}

interface RotateOptions {
  readonly overlap?: number;
  readonly json?: true;
}

export function keyRotateCommand(terminal: Terminal): Command {
  return new Command('rotate')
    .description(
      'Create a new key with the same tenant, scopes, limits and lifetime, and revoke the old key.',
    )
    .argument('<id>', 'id of the key, as "larder key list" shows it')
    .addOption(
      new Option(
        '--overlap <time>',
        'how long the old key stays valid, such as 24h; default: it ends at once',
      ).argParser(parseDuration),
    )
    .option('--json', 'print the new key as one JSON object')
    .addHelpText('after', '\nExample:\n  larder key rotate 1xUf0O1ZNLc9 --overlap 24h')
    .action(async (id: string, { overlap, json }: RotateOptions) => {
      await withKeys(terminal, async ({ store, issuer }) => {
        if ((await store.find(id))?.key.userId !== undefined)
          throw new OperatorError(
            `Key ${id} is of a person, who creates another one in the settings of the page.`,
          );
        const issued = await issuer.rotate(id, overlap ?? 0);
        if (issued !== undefined) printIssued(terminal, issued, json ?? false);
        else if ((await store.find(id)) === undefined) throw noSuchKey(id);
        else throw new OperatorError(`Key ${id} is revoked; create a new one with "larder key create".`);
      });
    });
}
