import { Command } from 'commander';
import { Catalogue } from '../../catalogue/file/catalogue.ts';
import { parseSearchText } from '../../catalogue/food/search-request.ts';
import { loadCatalogue } from '../../compose/catalogue-store.ts';
import { readConfig } from '../../config/config.ts';
import { AppError, OperatorError } from '../../errors.ts';
import { jsonList } from '../../http/server/body/json-list.ts';
import { foodJson } from '../../http/v1/foods/food-json.ts';
import { DEFAULT_LIMIT, parseLimit } from '../../list-request.ts';
import { chosenFile } from '../terminal/file-arguments.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { answerBatch, openBatch } from './batch.ts';
import { explanationJson, explanationText, foodTable } from './output.ts';

interface Options {
  readonly catalogue?: string;
  readonly limit: number;
  readonly explain?: true;
  readonly json?: true;
  readonly batch?: string;
}

/** `larder search`: prints what the API returns for the same catalogue, without a service. */
export function searchCommand(terminal: Terminal): Command {
  return new Command('search')
    .description(
      'Search the foods of a catalogue as the API does; no service has to run. Foods that tenants entered are in ' +
        'the database and are not found here.',
    )
    .argument('[query]', 'what to search for; shorter than 2 characters finds nothing')
    .option('--limit <number>', 'most foods to answer with, at most 100', limitOf, DEFAULT_LIMIT)
    .option(
      '--catalogue <name-or-file>',
      'a catalogue in the catalogue store or a path; the one in use when left out',
    )
    .option('--explain', 'also tell how the query was read, what was tried and how the foods scored')
    .option('--json', 'print one JSON array, as GET /v1/foods/search answers; with --explain one object')
    .option('--batch <file>', 'search for each line of a file (- for what is piped in), a JSON line each')
    .addHelpText(
      'after',
      `
A line of --batch is answered with {"q", "ids", "names", "us"}, us being the microseconds that the search took,
or with {"q", "error"} where the line is too long to search for.

Examples:
  larder search "greek yogurt"
  larder search choclate --explain
  larder search --batch queries.txt --limit 10 > answers.jsonl
  cut -f1 log.tsv | larder search --batch -`,
    )
    .action(async (query: string | undefined, options: Options) => {
      if ((query === undefined) === (options.batch === undefined)) {
        throw new OperatorError('Give either a search text or --batch FILE.');
      }
      if (options.batch === undefined) return searchOnce(terminal, query!, options);
      if (options.explain) throw new OperatorError('--explain takes one search text, not --batch.');
      const input = await openBatch(options.batch, terminal);
      return answerBatch(input, await openCatalogue(terminal, options), options.limit, terminal.out);
    });
}

async function searchOnce(terminal: Terminal, typed: string, options: Options): Promise<void> {
  const { limit, explain, json } = options;
  const query = accept(() => parseSearchText(typed));
  const catalogue = await openCatalogue(terminal, options);
  if (explain) {
    const explained =
      query === undefined ? { tokens: [], plans: [], hits: [] } : catalogue.explain(query, limit);
    terminal.out.write(json ? `${explanationJson(typed, explained)}\n` : explanationText(explained));
    return;
  }
  const foods = query === undefined ? [] : catalogue.search(query, limit);
  terminal.out.write(json ? `${jsonList(foods, foodJson)}\n` : foodTable(foods));
  if (foods.length === 0) terminal.err.write('Nothing found.\n');
}

async function openCatalogue({ env }: Terminal, { catalogue }: Options): Promise<Catalogue> {
  const config = readConfig(env);
  return Catalogue.open(await loadCatalogue(config, await chosenFile(config, catalogue)));
}

function limitOf(typed: string): number {
  return accept(() => parseLimit(typed));
}

/** Rejects what the API would reject, with the same message. */
function accept<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw new OperatorError(error.message, { cause: error });
  }
}
