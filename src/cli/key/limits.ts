import { Argument, Command } from 'commander';
import type { ApiKey } from '../../access/api-key.ts';
import { DEFAULT_LIMITS, LIMITED_OPERATIONS, type LimitsChange } from '../../limits/operations.ts';
import { toLines } from '../terminal/format.ts';
import { print, type Terminal } from '../terminal/terminal.ts';
import { parseLimitsChange } from './options.ts';
import { noSuchKey, toJson, withKeys } from './session.ts';

export function keyLimitsCommand(terminal: Terminal): Command {
  return new Command('limits')
    .description(
      'Show or change the rate limits of an API key. A running service applies changes within a second.',
    )
    .argument('<id>', 'id of the key, as "larder key list" shows it')
    .addArgument(
      new Argument(
        '[changes]',
        'requests a minute for each operation, or "default"; other limits do not change',
      ).argParser(parseLimitsChange),
    )
    .option('--json', 'print the key as one JSON object')
    .addHelpText(
      'after',
      `
Examples:
  larder key limits 1xUf0O1ZNLc9
  larder key limits 1xUf0O1ZNLc9 search=1000,barcode=default`,
    )
    .action(async (id: string, changes: LimitsChange | undefined, { json }: { json?: true }) => {
      await withKeys(terminal, async ({ store }) => {
        const key =
          changes === undefined ? (await store.find(id))?.key : await store.changeLimits(id, changes);
        if (key === undefined) throw noSuchKey(id);
        print(terminal, json ? `${JSON.stringify(toJson(key))}\n` : limitsTable(key));
      });
    });
}

function limitsTable({ limits }: ApiKey): string {
  return toLines(
    LIMITED_OPERATIONS.map((operation) => {
      const own = limits?.[operation];
      const count = String(own ?? DEFAULT_LIMITS[operation]).padStart(8);
      return `${operation.padEnd(12)}${count} a minute${own === undefined ? '' : `  (default ${DEFAULT_LIMITS[operation]})`}`;
    }),
  );
}
