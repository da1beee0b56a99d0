import { Command } from 'commander';
import packageJson from '../../package.json' with { type: 'json' };
import { print, type Terminal, tell } from './terminal/terminal.ts';

/** The commands, each in a file or folder beside this one. */
const COMMANDS: Readonly<Record<string, (terminal: Terminal) => Promise<Command>>> = {
  catalogue: async (terminal) => (await import('./catalogue/commands.ts')).catalogueCommand(terminal),
  check: async (terminal) => (await import('./check.ts')).checkCommand(terminal),
  import: async (terminal) => (await import('./catalogue/commands.ts')).importCommand(terminal),
  key: async (terminal) => (await import('./key/commands.ts')).keyCommand(terminal),
  openapi: async (terminal) => (await import('./openapi.ts')).openApiCommand(terminal),
  parse: async (terminal) => (await import('./parse/parse.ts')).parseCommand(terminal),
  recognize: async (terminal) => (await import('./scan/recognize.ts')).recognizeCommand(terminal),
  scan: async (terminal) => (await import('./scan/scan.ts')).scanCommand(terminal),
  search: async (terminal) => (await import('./search/search.ts')).searchCommand(terminal),
  serve: async (terminal) => (await import('./serve.ts')).serveCommand(terminal),
  status: async (terminal) => (await import('./status.ts')).statusCommand(terminal),
  worker: async (terminal) => (await import('./worker.ts')).workerCommand(terminal),
  backup: async (terminal) => (await import('./backup.ts')).backupCommand(terminal),
  restore: async (terminal) => (await import('./backup.ts')).restoreCommand(terminal),
};

/**
 * The command line. With the name of a command it has that command alone: the libraries of the others would stay in the memory
 * of a service.
 */
export async function createProgram(terminal: Terminal, name?: string): Promise<Command> {
  const program = new Command('larder')
    .description('A self-hostable nutrition service: food search, barcodes, photo scans and a diary.')
    .version(packageJson.version)
    .configureOutput({
      writeOut: (text) => print(terminal, text),
      writeErr: (text) => tell(terminal, text),
    })
    .showHelpAfterError('(add --help for what is possible)');
  const isCommand = name !== undefined && Object.hasOwn(COMMANDS, name);
  for (const open of isCommand ? [COMMANDS[name]!] : Object.values(COMMANDS)) {
    program.addCommand(await open(terminal));
  }
  return program;
}
