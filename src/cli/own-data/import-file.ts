import { readFile, stat } from 'node:fs/promises';
import { OperatorError, UsageError } from '@larder/core/errors.ts';
import { Command, Option } from 'commander';
import { type ImportResult, Larder, LarderError } from '#larder-client';
import { counted } from '../../base/texts.ts';
import { readError } from '../../files/file-errors.ts';
import { MAX_FILE_BYTES } from '../../foods/import/table/table-limits.ts';
import {
  DATE_ORDERS,
  type DateOrder,
  FOOD_BASES,
  type FoodBasis,
  IMPORT_FORMATS,
  type ImportFormat,
} from '../../own-data/import-options.ts';
import { toLines } from '../terminal/format.ts';
import { openProgress } from '../terminal/progress.ts';
import { type ServiceAccess, serviceAccess, unreachable } from '../terminal/service-access.ts';
import { print, type Terminal } from '../terminal/terminal.ts';
import { addUp, KINDS, partsOf } from './import-parts.ts';

export interface ImportOptions {
  readonly preview?: true;
  readonly dryRun?: true;
  readonly json?: true;
  readonly url?: string;
  readonly key?: string;
}

/** Exit code of an import with problems. */
const HAS_PROBLEMS = 3;
/** The service answers after it has written the whole part. */
const TIMEOUT_MS = 300_000;
/** The rate limit of imports is per minute. */
const MAX_RETRIES = 20;
const MAX_PRINTED_PROBLEMS = 50;
/** Parts of an export are sent in sequence. */
const MAX_BYTES = 40 * MAX_FILE_BYTES;

const EXIT_CODES =
  'Ends with 0 when everything is there, with 3 when something of the file has a problem or is left, with 1 when the service ' +
  'cannot be\nasked.';

/** Adds the options that all imports through a running service have. */
export function withImportOptions(command: Command, scopes: string): Command {
  return command
    .option('--preview', 'write nothing, and tell what would be written')
    .option('--dry-run', 'the same as --preview')
    .option('--json', 'print the answer of the API as one line of JSON')
    .option('--url <address>', 'where the service is; by default where its settings here say')
    .option(
      '--key <key>',
      `an API key with ${scopes}; else LARDER_KEY, else (without --url) the first key of the data folder`,
    );
}

/** Sends a file, in parts if it is long, and prints the result. */
export async function importFile(
  terminal: Terminal,
  file: string,
  options: ImportOptions,
  send: (larder: Larder, part: Uint8Array<ArrayBuffer>, preview: boolean) => Promise<ImportResult>,
): Promise<void> {
  const access = await serviceAccess(terminal, options);
  const { url, key, isOwn, config } = access;
  if (key === undefined) {
    const noService = `The data folder ${config.dataDir} has no first key; start a service with "larder serve". Or give`;
    throw new OperatorError(`${isOwn ? noService : 'Give'} an API key with --key or as LARDER_KEY.`);
  }
  const larder = new Larder({
    url,
    key,
    maxRetries: MAX_RETRIES,
    timeoutMs: TIMEOUT_MS,
    onRetry({ error }) {
      if (error.code === 'connection_failed') throw error;
    },
  });
  const preview = options.preview ?? options.dryRun ?? false;
  const parts = partsOf(await readBytes(file));
  const progress = openProgress(terminal);
  progress.begin(preview ? 'Reading' : 'Importing', parts.length);
  const answers: ImportResult[] = [];
  try {
    for (const [at, part] of parts.entries()) {
      const answer = await send(larder, part, preview);
      answers.push(answer);
      progress.update(at + 1, 0);
      if (answer.stopped !== undefined) break;
    }
  } catch (error) {
    throw error instanceof LarderError ? toOperatorError(error, access) : error;
  } finally {
    progress.end();
  }
  const answer = addUp(answers);
  print(terminal, options.json ? `${JSON.stringify(answer)}\n` : textOf(answer));
  if (answer.problemCount > 0 || answer.stopped !== undefined) process.exitCode = HAS_PROBLEMS;
}

async function readBytes(file: string): Promise<Buffer<ArrayBuffer>> {
  const { size } = await stat(file).catch((error: unknown) => {
    throw readError(file, error);
  });
  if (size > MAX_BYTES)
    throw new UsageError(`${file} is larger than ${MAX_BYTES} bytes; divide it, for example by year.`);
  return readFile(file).catch((error: unknown) => {
    throw readError(file, error);
  });
}

function toOperatorError(error: LarderError, { keyName, urlSource }: ServiceAccess): OperatorError {
  if (error.code === 'connection_failed') return unreachable(error.details.origin, urlSource, error.cause);
  if (error.status === 401 || error.status === 403)
    return new OperatorError(`The service refuses ${keyName}: ${error.message}`);
  return new OperatorError(error.message, { cause: error });
}

function textOf(answer: ImportResult): string {
  const { format, preview, from, to, notes, problems, problemCount, ignoredColumns, stopped } = answer;
  const days = from === undefined ? '' : `, ${from === to ? from : `${from} to ${to}`}`;
  const counts = KINDS.flatMap((kind) => {
    const { found, added, present, deleted, refused, left } = answer[kind];
    if (found === 0) return [];
    const parts = [
      `${added} ${preview ? 'to add' : 'added'}`,
      ...(present > 0 ? [`${present} there already`] : []),
      ...(deleted > 0 ? [`${deleted} deleted since, and left out`] : []),
      ...(refused > 0 ? [`${refused} with a problem`] : []),
      ...(left > 0 ? [`${left} left`] : []),
    ];
    return [`${kind.padEnd(8)} ${parts.join(', ')}`];
  });
  const rows = preview ? answer.shown.map(({ line, record }) => `  ${line}: ${describe(record)}`) : [];
  const named = problems
    .slice(0, MAX_PRINTED_PROBLEMS)
    .map(
      ({ line, column, message }) => `line ${line}${column === undefined ? '' : `, ${column}`}: ${message}`,
    );
  return toLines([
    `${format}${days}`,
    ...counts,
    ...(rows.length > 0 ? ['first records:', ...rows] : []),
    ...notes.map((note) => `note: ${note}`),
    ...(ignoredColumns.length > 0 ? [`columns that are not kept: ${ignoredColumns.join(', ')}`] : []),
    ...named,
    ...(problemCount > named.length
      ? [`and ${counted(problemCount - named.length, 'further problem')}`]
      : []),
    ...(stopped === undefined ? [] : [`stopped: ${stopped.message}`]),
  ]);
}

function describe(record: Readonly<Record<string, unknown>>): string {
  const { date, from, mealType, foodName, name, quantity, value, unit, calories } = record;
  const energy = typeof calories === 'number' ? `${calories} kcal` : undefined;
  return [date ?? from, mealType, foodName ?? name, quantity ?? value, unit, energy]
    .filter((each) => each !== undefined)
    .join(' ');
}

interface DiaryOptions extends ImportOptions {
  readonly user: string;
  readonly format?: ImportFormat;
  readonly dateOrder?: DateOrder;
  readonly timeZone?: string;
}

/** `larder import diary`: sends a file with the data of a user to a running service. */
export function importDiaryCommand(terminal: Terminal): Command {
  const command = new Command('diary')
    .description(
      'Import the diary of a user into a running service: an export of Larder, or the CSV export of MyFitnessPal, ' +
        'Cronometer, FatSecret, SparkyFitness or OpenNutriTracker. A file that is imported again writes nothing twice.',
    )
    .argument('<file>', 'the exported file')
    .requiredOption('--user <id>', 'the user, as the app names them')
    .addOption(
      new Option('--format <name>', 'what the file is; recognized when left out').choices(IMPORT_FORMATS),
    )
    .addOption(
      new Option(
        '--date-order <order>',
        'which number of a date stands first, where the file leaves it open',
      ).choices(DATE_ORDERS),
    )
    .option('--time-zone <name>', 'whose clock the times of the file are read on, such as Europe/Berlin');
  return withImportOptions(command, 'the scopes diary:write and foods:write')
    .addHelpText(
      'after',
      `
${EXIT_CODES}

Examples:
  larder import diary servings.csv --user ann --preview
  larder import diary servings.csv --user ann --time-zone Europe/Berlin
  larder import diary larder-export.jsonl --user ann --url https://food.example.org`,
    )
    .action((file: string, options: DiaryOptions) => {
      const { user, format, dateOrder, timeZone } = options;
      return importFile(terminal, file, options, (larder, part, preview) =>
        larder.user(user).import(part, { format, dateOrder, timeZone, preview }),
      );
    });
}

interface FoodsOptions extends ImportOptions {
  readonly user?: string;
  readonly per?: FoodBasis;
}

/** `larder import foods`: sends a table of custom foods to a running service. */
export function importFoodsCommand(terminal: Terminal): Command {
  const command = new Command('foods')
    .description(
      'Import a table of custom foods (CSV) into a running service: a food in each row, under headings such as "Name", ' +
        '"kcal" and "Protein (g)" in six languages. A file that is imported again writes nothing twice.',
    )
    .argument('<file>', 'a table with commas, semicolons or tabs')
    .option('--user <id>', "whose foods they become; shared by all users of the key's tenant when left out")
    .addOption(
      new Option('--per <amount>', 'what the amounts are in, where the headings do not say it').choices(
        FOOD_BASES,
      ),
    );
  return withImportOptions(command, 'the scope foods:write')
    .addHelpText(
      'after',
      `
${EXIT_CODES}

Examples:
  larder import foods family.csv --preview
  larder import foods family.csv --user ann --per serving`,
    )
    .action((file: string, options: FoodsOptions) => {
      const { user: userId, per } = options;
      return importFile(terminal, file, options, (larder, part, preview) =>
        larder.foods.import(part, { userId, per, preview }),
      );
    });
}
