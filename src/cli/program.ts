import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { print, type Terminal, tell } from './terminal/terminal.ts';

/** The commands, which are in files and folders beside this one. */
const COMMANDS: Readonly<Record<string, (terminal: Terminal) => Promise<Command>>> = {
  catalogue: async (terminal) => (await import('./catalogue/commands.ts')).catalogueCommand(terminal),
  check: async (terminal) => (await import('./check.ts')).checkCommand(terminal),
  import: async (terminal) => (await import('./catalogue/commands.ts')).importCommand(terminal),
  key: async (terminal) => (await import('./key/commands.ts')).keyCommand(terminal),
  mcp: async (terminal) => (await import('./mcp.ts')).mcpCommand(terminal),
  openapi: async (terminal) => (await import('./openapi.ts')).openApiCommand(terminal),
  parse: async (terminal) => (await import('./foods/parse.ts')).parseCommand(terminal),
  recognize: async (terminal) => (await import('./foods/recognize.ts')).recognizeCommand(terminal),
  scan: async (terminal) => (await import('./foods/scan.ts')).scanCommand(terminal),
  search: async (terminal) => (await import('./foods/search.ts')).searchCommand(terminal),
  tenant: async (terminal) => (await import('./key/commands.ts')).tenantCommand(terminal),
  user: async (terminal) => (await import('./user.ts')).userCommand(terminal),
  serve: async (terminal) => (await import('./serve.ts')).serveCommand(terminal),
  status: async (terminal) => (await import('./status.ts')).statusCommand(terminal),
  upgrade: async (terminal) => (await import('./upgrade.ts')).upgradeCommand(terminal),
  worker: async (terminal) => (await import('./worker.ts')).workerCommand(terminal),
  events: async (terminal) => (await import('./events.ts')).eventsCommand(terminal),
  secret: async (terminal) => (await import('./secret.ts')).secretCommand(terminal),
  backup: async (terminal) => (await import('./backup.ts')).backupCommand(terminal),
  restore: async (terminal) => (await import('./backup.ts')).restoreCommand(terminal),
};

const HELP_HINT = '(add --help for what is possible)';
/** Hints after an error of the command line, by command, that replace the usual one. */
const HINTS: Readonly<Record<string, string>> = {
  serve: '(settings are environment variables, such as LARDER_PORT=9000)',
};

/**
 * Creates the command line. With the name of a command it contains only that command: the libraries of the
 * others would remain in the memory of a service. An invalid command line throws a `CommanderError`, and so
 * does the end of a help text.
 */
export async function createProgram(terminal: Terminal, name?: string): Promise<Command> {
  const program = new Command('larder')
    .description('A self-hostable nutrition service: food search, barcodes, photo scans and a diary.')
    .version(packageJson.version)
    .addHelpText(
      'after',
      '\nExit codes: 0 success, 1 failure, 2 wrong usage. The help of a command lists others.',
    );
  const isCommand = name !== undefined && Object.hasOwn(COMMANDS, name);
  for (const open of isCommand ? [COMMANDS[name]!] : Object.values(COMMANDS)) {
    program.addCommand(await open(terminal));
  }
  prepare(program, terminal);
  return program;
}

function prepare(command: Command, terminal: Terminal): void {
  command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => print(terminal, text),
      writeErr: (text) => tell(terminal, text),
    })
    .showHelpAfterError(HINTS[command.name()] ?? HELP_HINT);
  for (const sub of command.commands) prepare(sub, terminal);
}

const HELP_OPTIONS = ['--help', '-h'];

/**
 * Moves `help` after the command that it is about. For a mistyped command only its name remains, because the
 * error suggests the likely one, and help would describe another.
 */
export function settleHelp(program: Command, words: readonly string[]): readonly string[] {
  const path: string[] = [];
  let command: Command | undefined = program;
  let isHelp = false;
  for (const word of words) {
    if (command === undefined || command.commands.length === 0 || word.startsWith('-')) break;
    if (word === 'help') isHelp = true;
    else {
      path.push(word);
      command = command.commands.find((sub) => sub.name() === word);
    }
  }
  if (command === undefined && (isHelp || words.some((word) => HELP_OPTIONS.includes(word)))) return path;
  return isHelp ? [...path, '--help'] : words;
}
