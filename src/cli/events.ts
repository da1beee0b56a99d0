import { Command, Option } from 'commander';
import { type KeptEvent, MAX_EVENTS, SecurityEventStore } from '../access/security-event-store.ts';
import { SECURITY_EVENTS, type SecurityEvent } from '../access/security-log.ts';
import { columns } from './terminal/format.ts';
import { print, type Terminal, tell } from './terminal/terminal.ts';
import { withDatabase } from './terminal/with-database.ts';

const DEFAULT_LIMIT = 100;

interface Options {
  readonly event?: SecurityEvent;
  readonly limit: number;
  readonly json?: true;
}

/** `larder events`: lists security events. */
export function eventsCommand(terminal: Terminal): Command {
  return new Command('events')
    .description(
      'List the latest security events: sign-ins, keys, invitations, exports, backups; the latest first.',
    )
    .addOption(new Option('--event <name>', 'only these').choices(Object.keys(SECURITY_EVENTS)))
    .addOption(
      new Option('--limit <number>', 'how many at most')
        .default(DEFAULT_LIMIT)
        .argParser((text) =>
          Math.min(2 * MAX_EVENTS, Math.max(1, Math.trunc(Number(text)) || DEFAULT_LIMIT)),
        ),
    )
    .option('--json', 'print a JSON line for each')
    .addHelpText('after', '\nExamples:\n  larder events\n  larder events --event sign_in --limit 20 --json')
    .action(({ event, limit, json }: Options) =>
      withDatabase(terminal, async (database) => {
        const store = new SecurityEventStore({ ...database, onError: () => {} });
        const found = await store.list({ after: '', limit, ...(event && { events: [event] }) });
        if (json) print(terminal, found.map((each) => `${JSON.stringify(toLine(each))}\n`).join(''));
        else if (found.length === 0) tell(terminal, 'There are no security events yet.\n');
        else print(terminal, columns([['at', 'event', 'result', 'address', 'who'], ...found.map(toRow)]));
      }),
    );
}

function toLine({ atMs, ...event }: KeptEvent): object {
  return { at: new Date(atMs).toISOString(), ...event };
}

function toRow({ atMs, event, result, address, who = '', code }: KeptEvent): string[] {
  const outcome = code === undefined ? result : `${result} (${code})`;
  return [new Date(atMs).toISOString(), event, outcome, address, who];
}
