import { UsageError } from '@larder/core/errors.ts';
import type { Food } from '@larder/core/food.ts';
import { Command } from 'commander';
import { foodObject } from '../../api/foods/food-json.ts';
import { DEFAULT_LIMIT, parseLimit } from '../../base/list-request.ts';
import type { Catalogue } from '../../foods/catalogue/catalogue.ts';
import { parseSearchText } from '../../foods/visible-foods.ts';
import { answerBatch, openBatch, warmUpNames } from '../terminal/batch.ts';
import { openChosenCatalogue } from '../terminal/file-arguments.ts';
import { accept, print, type Terminal, tell } from '../terminal/terminal.ts';
import { explanationJson, explanationText, foodTable } from './search-output.ts';

interface Options {
  readonly catalogue?: string;
  readonly limit: number;
  readonly explain?: true;
  readonly json?: true;
  readonly batch?: string;
}

/** `larder search`: prints what the API would return for the same catalogue, without a service. */
export function searchCommand(terminal: Terminal): Command {
  return new Command('search')
    .description(
      'Search the foods of a catalogue as the API does; no service has to run. Custom foods are in ' +
        'the database and are not found here.',
    )
    .argument('[query...]', 'what to search for; shorter than 2 characters finds nothing')
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
    .action(async (words: readonly string[], options: Options) => {
      if ((words.length === 0) === (options.batch === undefined)) {
        throw new UsageError('Give either a search text or --batch FILE.');
      }
      if (options.batch === undefined) return searchOnce(terminal, words.join(' '), options);
      if (options.explain) throw new UsageError('--explain takes one search text, not --batch.');
      return searchBatch(terminal, options.batch, options);
    });
}

async function searchBatch(terminal: Terminal, file: string, { catalogue: choice, limit }: Options) {
  const input = await openBatch(file, terminal);
  const catalogue = await openChosenCatalogue(terminal, choice);
  for (const name of warmUpNames(catalogue)) {
    const [firstWord] = name.split(' ');
    const misspelt = name.slice(0, 3) + name.slice(4);
    for (const query of [name, firstWord!, misspelt]) catalogue.search(query, limit);
  }
  await answerBatch({
    input,
    out: terminal.out,
    field: 'q',
    answer: async (line) => {
      const foods = found(catalogue, parseSearchText(line), limit);
      return { ids: foods.map(({ id }) => id), names: foods.map(({ name }) => name) };
    },
  });
}

function found(catalogue: Catalogue, query: string | undefined, limit: number): readonly Food[] {
  return query === undefined ? [] : catalogue.search(query, limit);
}

async function searchOnce(terminal: Terminal, typed: string, options: Options): Promise<void> {
  const { limit, explain, json } = options;
  const query = accept(() => parseSearchText(typed));
  const catalogue = await openChosenCatalogue(terminal, options.catalogue);
  if (explain) {
    const explained =
      query === undefined ? { tokens: [], plans: [], hits: [] } : catalogue.explain(query, limit);
    print(terminal, json ? `${explanationJson(typed, explained)}\n` : explanationText(explained));
    return;
  }
  const foods = found(catalogue, query, limit);
  print(terminal, json ? `${JSON.stringify(foods.map(foodObject))}\n` : foodTable(foods));
  if (foods.length === 0) tell(terminal, 'Nothing found.\n');
}

function limitOf(typed: string): number {
  return accept(() => parseLimit(typed));
}
