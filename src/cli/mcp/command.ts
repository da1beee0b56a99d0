import { OperatorError, UsageError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { todayIn } from '../../diary/records/day.ts';
import { stopRequested } from '../terminal/stop-signals.ts';
import { accept, type Terminal, tell } from '../terminal/terminal.ts';
import { serveTools } from './serve-tools.ts';
import { Refusal, ServiceLink } from './service-link.ts';

interface Options {
  readonly url?: string;
  readonly key?: string;
  readonly user?: string;
  readonly timeZone?: string;
}

/** `larder mcp`: gives an assistant that starts programs the tools of a service. */
export function mcpCommand(terminal: Terminal): Command {
  return new Command('mcp')
    .description(
      'Give an assistant the tools of a service, by the Model Context Protocol on standard input and output. Without --url they are ' +
        'those of the service of this data folder, which is started if it does not run.',
    )
    .option('--url <address>', 'where the service is; by default where its settings here say')
    .option(
      '--key <key>',
      'an API key or access token; else LARDER_KEY, else (without --url) the first key of the data folder',
    )
    .option('--user <id>', 'the user of all calls; without it, a key needs the user in each call')
    .option('--time-zone <zone>', 'where “today” is, such as Europe/Berlin; by default that of this machine')
    .addHelpText(
      'after',
      `
Ends when its standard input does, and with it a service that it started. Messages are on standard error.

Examples:
  larder mcp --user ann
  LARDER_KEY=... larder mcp --url https://food.example.org --user ann`,
    )
    .action((options: Options) => mcp(terminal, options));
}

async function mcp(terminal: Terminal, options: Options): Promise<void> {
  if (terminal.in === undefined) throw new UsageError('There is no standard input.');
  const { user, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = options;
  accept(() => todayIn(timeZone, Date.now()));
  using stop = stopRequested();
  await using link = await ServiceLink.open(terminal, { ...options, timeZone }, stop.signal);
  const count = await countTools(link);
  if (count === 0) throw new OperatorError(`${link.keyName} has no scope that a tool needs.`);
  const whose = user === undefined ? '' : ` for ${user}`;
  tell(terminal, `larder: ${count} tools of ${link.url}${whose}; “today” is that of ${timeZone}.\n`);
  await serveTools(terminal, link, stop.signal);
}

/** The first request shows whether the credential is accepted. */
async function countTools(link: ServiceLink): Promise<number> {
  try {
    const { tools } = await link.send('tools/list');
    return (tools as readonly unknown[]).length;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    throw new OperatorError(`${link.url} refuses ${link.keyName}: ${error.message} (${error.code})`);
  }
}
