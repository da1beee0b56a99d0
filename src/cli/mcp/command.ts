import { OperatorError, UsageError } from '@larder/core/errors.ts';
import { Command } from 'commander';
import { todayIn } from '../../diary/records/day.ts';
import { stopRequested } from '../terminal/stop-signals.ts';
import { type Terminal, tell, toUsageErrors } from '../terminal/terminal.ts';
import { serveTools } from './serve-tools.ts';
import { Refusal, ServiceLink } from './service-link.ts';

interface Options {
  readonly url?: string;
  readonly key?: string;
  readonly user?: string;
  readonly timeZone?: string;
}

/** `larder mcp`: gives the tools of a service to an assistant that starts programs. */
export function mcpCommand(terminal: Terminal): Command {
  return new Command('mcp')
    .description(
      'Give an assistant the tools of a service, by the Model Context Protocol on standard input and output. Without --url ' +
        'it uses the service of this data folder, and starts it if it does not run.',
    )
    .option('--url <address>', 'address of the service; default: from the settings here')
    .option(
      '--key <key>',
      'API key or access token; default: LARDER_KEY, or without --url the first key of the data folder',
    )
    .option('--user <id>', 'the user of all calls; without it, each call with a key has to name the user')
    .option(
      '--time-zone <zone>',
      'time zone of “today”, such as Europe/Berlin; default: that of this machine',
    )
    .addHelpText(
      'after',
      `
It ends when its standard input ends, and then stops the service that it started. Messages go to standard error.

Examples:
  larder mcp --user ann
  LARDER_KEY=... larder mcp --url https://food.example.org --user ann`,
    )
    .action((options: Options) => mcp(terminal, options));
}

async function mcp(terminal: Terminal, options: Options): Promise<void> {
  if (terminal.in === undefined) throw new UsageError('There is no standard input.');
  const { user, timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone } = options;
  toUsageErrors(() => todayIn(timeZone, Date.now()));
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
